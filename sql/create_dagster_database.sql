-- Dagster keeps its runs, events and schedules in a second database of the same server.
create database dagster;
