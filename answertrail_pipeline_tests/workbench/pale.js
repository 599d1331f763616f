// Returns the texts of a page whose contrast is below WCAG 2.2 AA (1.4.3): 4.5 to 1, of large text 3 to 1.
() => {
  const channels = (color) => (color.match(/[\d.]+/g) || []).map(Number);
  const over = (top, under) => {
    const alpha = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map((i) => top[i] * alpha + under[i] * (1 - alpha));
  };
  const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const luminance = (color) => {
    const [r, g, b] = color.map((c) => linear(c / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const canvas = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      layers.unshift(channels(getComputedStyle(at).backgroundColor));
    }
    return layers.reduce((under, layer) => over(layer, under), canvas);
  };
  return [...document.querySelectorAll("body *")].flatMap((element) => {
    const words = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    if (!words.length || !element.checkVisibility() || element.matches(":disabled")) return [];
    const style = getComputedStyle(element);
    if (!/^rgba?\(/.test(style.color)) return [`${style.color} is no colour that this reads`];
    const under = ground(element);
    const [a, b] = [luminance(over(channels(style.color), under)), luminance(under)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio >= (large ? 3 : 4.5)) return [];
    return [`${ratio.toFixed(2)} ${element.tagName}.${element.className}: ${words[0].data.trim()}`];
  });
}
