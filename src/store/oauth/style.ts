/**
 * The style of our OAuth pages. It is a part of each page, so that one request loads the whole page. The
 * Content-Security-Policy of the page allows the style by its digest. The colours are those of pages/theme.css, where
 * `--line` is called `--edge`.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfcfb, #121614);
  --raised: light-dark(#fff, #1a201d);
  --text: light-dark(#1b211e, #e6ebe8);
  --quiet: light-dark(#56625c, #a3afa9);
  --line: light-dark(#77827c, #7d8a83);
  --accent: light-dark(#0b5c43, #7fd6b4);
  --fault: light-dark(#a3211b, #ff9d94);
}
* { box-sizing: border-box; }
body {
  max-width: 30rem;
  margin: 0 auto;
  padding: clamp(2rem, 7vw, 4.5rem) clamp(1.1rem, 5vw, 2rem) 4rem;
  background: var(--ground);
  color: var(--text);
  font: 1.0625rem/1.6 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
h1 { margin: 0 0 0.5rem; font-size: clamp(1.5rem, 6vw, 2rem); line-height: 1.2; }
p { margin: 0.4rem 0; }
label { display: block; margin-top: 1.1rem; font-weight: 600; }
input {
  width: 100%;
  padding: 0.6rem 0.8rem;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--raised);
  color: inherit;
  font: inherit;
}
.choices { display: flex; flex-wrap: wrap; gap: 0.8rem; margin-top: 1.6rem; }
button {
  min-height: 2.75rem;
  padding: 0.5rem 1.4rem;
  border: 1px solid var(--accent);
  border-radius: 8px;
  background: var(--accent);
  color: var(--ground);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button.quiet { background: transparent; color: var(--accent); }
a { color: var(--accent); }
.aside { margin-top: 1.2rem; color: var(--quiet); }
.fault { margin-top: 1rem; padding: 0.6rem 1rem; border-left: 3px solid var(--fault); background: var(--raised); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
`;
