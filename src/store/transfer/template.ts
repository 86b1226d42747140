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

const EXAMPLE = "The name of a column is between two braces: '{customerID}@northwind.example'";

/**
 * The fault of the first brace that has no partner, or of braces without the name of a column; null if there is none.
 */
export function faultOfBraces(template: string): string | null {
  // Spaces replace each complete `{…}`, so the other braces keep their positions. Each remaining brace is a fault.
  const rest = template.replaceAll(/\{[^{}]*\}/g, (place) => ' '.repeat(place.length));
  const at = rest.search(/[{}]/);
  if (at < 0) return faultOfNames(template);
  const other = rest[at] === '{' ? '}' : '{';
  return `has a ${rest[at]} at character ${at + 1} without its ${other}. ${EXAMPLE}`;
}

function faultOfNames(template: string): string | null {
  for (const { 0: place, 1: inner = '', index } of template.matchAll(/\{([^{}]*)\}/g)) {
    const [name = ''] = inner.split('|', 1);
    if (name.trim() === '')
      return `has ${place} at character ${index + 1} without the name of a column. ${EXAMPLE}`;
  }
  return null;
}
