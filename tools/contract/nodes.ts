import { isMap, isScalar, Scalar, YAMLMap, YAMLSeq, type Pair } from 'yaml';

/** Readers and makers of the nodes of a YAML document, for `Contract`. */

export function pairsOf(node: unknown): Pair[] {
  return isMap(node) ? node.items : [];
}

export function textOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

/** The key of a map. A status gets quotes, because YAML would read `404` without quotes as a number. */
export function keyOf(name: string): Scalar {
  const key = new Scalar(name);
  if (/^\d/.test(name)) key.type = Scalar.QUOTE_SINGLE;
  return key;
}

export function block(map: YAMLMap): YAMLMap {
  map.flow = false;
  return map;
}

export function referenceTo(kind: string, name: string): YAMLMap {
  return flow('$ref', `#/components/${kind}/${name}`);
}

export function flowList(values: readonly string[]): YAMLSeq {
  const list = new YAMLSeq();
  list.flow = true;
  for (const value of values) list.add(new Scalar(value));
  return list;
}

export function flow(name: string, value: string | YAMLMap | YAMLSeq): YAMLMap {
  const map = new YAMLMap();
  map.flow = true;
  map.set(new Scalar(name), typeof value === 'string' ? new Scalar(value) : value);
  return map;
}
