"""What people read: figures, reports, exports, bundles."""
