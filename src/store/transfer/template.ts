/* The syntax of templates. The pages for browsers import this file too, so it imports no package. */

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

/** The fault of the first brace that has no partner; null if there is no such brace. */
export function faultOfBraces(template: string): string | null {
  // Spaces replace each complete `{…}`, so the other braces keep their positions. Each remaining brace is a fault.
  const rest = template.replaceAll(/\{[^{}]+\}/g, (place) => ' '.repeat(place.length));
  const at = rest.search(/[{}]/);
  if (at < 0) return null;
  const other = rest[at] === '{' ? '}' : '{';
  return `has a ${rest[at]} at character ${at + 1} without its ${other}. The name of a column is between two braces: '{customerID}@northwind.example'`;
}
