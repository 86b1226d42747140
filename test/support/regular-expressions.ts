import ts from 'typescript';

export interface Found {
  /** Such as `src/auth/jwt.ts:25`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Every regular expression of a source text; of those that are put together, what is known by reading. */
export function expressionsIn(
  file: string,
  text: string,
): { readonly found: readonly Found[]; readonly unknown: readonly string[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const unknown: string[] = [];
  const constants = new Map<string, ts.Expression>();
  const visit = (node: ts.Node, look: (node: ts.Node) => void): void => {
    look(node);
    ts.forEachChild(node, (child) => visit(child, look));
  };
  visit(source, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
  });
  visit(source, (node) => {
    const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (isMade(node)) {
      const [body, flags] = (node.arguments ?? []).map((each) => valueOf(each, constants));
      if (typeof body === 'string') found.push({ place, source: body, flags: String(flags ?? '') });
      else unknown.push(place);
    }
  });
  return { found, unknown };
}

function isMade(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'RegExp'
  );
}

type Value = string | readonly Value[] | null;

/** The value of texts and lists of texts that are constants of the same file; null where it is not known by reading. */
function valueOf(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): Value {
  const of = (inner: ts.Expression): Value => valueOf(inner, constants);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw') {
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText ?? null;
    return spans(template, of, (part) => part.rawText ?? '');
  }
  if (ts.isTemplateExpression(node)) return spans(node, of, (part) => part.text);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(of);
  if (ts.isIdentifier(node)) {
    const initial = constants.get(node.text);
    return initial === undefined ? null : of(initial);
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const [list, separator] = [of(node.expression.expression), node.arguments[0]];
    if (node.expression.name.text !== 'join' || !Array.isArray(list) || !separator) return null;
    const by = of(separator);
    return typeof by === 'string' && list.every((item) => typeof item === 'string') ? list.join(by) : null;
  }
  return null;
}

function spans(
  template: ts.TemplateExpression,
  of: (inner: ts.Expression) => Value,
  textOf: (part: ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail) => string,
): string | null {
  const parts = template.templateSpans.map(({ expression, literal }) => {
    const value = of(expression);
    return typeof value === 'string' ? value + textOf(literal) : null;
  });
  return parts.includes(null) ? null : textOf(template.head) + parts.join('');
}
