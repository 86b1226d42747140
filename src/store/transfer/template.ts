/* The syntax of templates. The pages for browsers import this file too, so it needs no package. */

/** A part of a template: a text, or a column with the names of its conversions. */
export type TemplatePart = string | { readonly column: string; readonly steps: readonly string[] };

/** The parts of a template such as `{customerID|lower}@northwind.example`. */
export function templateParts(template: string): TemplatePart[] {
  return template.split(/(\{[^{}]+\})/).flatMap((part): TemplatePart[] => {
    if (part === '') return [];
    const inner = /^\{(.+)\}$/.exec(part)?.[1];
    if (inner === undefined) return [part];
    const [column = '', ...steps] = inner.split('|').map((name) => name.trim());
    return [{ column, steps }];
  });
}

/** The fault of a brace without its counterpart; null if there is none. */
export function faultOfBraces(template: string): string | null {
  // Spaces replace each complete `{…}`. A brace that remains is a fault, and its position in the text is still right.
  const rest = template.replaceAll(/\{[^{}]+\}/g, (place) => ' '.repeat(place.length));
  const at = rest.search(/[{}]/);
  if (at < 0) return null;
  const other = rest[at] === '{' ? '}' : '{';
  return `has a ${rest[at]} at character ${at + 1} without its ${other}. The name of a column is between both: '{customerID}@northwind.example'`;
}
