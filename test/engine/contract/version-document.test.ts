import { describe, expect, it } from 'vitest';
import { versionDocument } from '../../../src/engine/contract/version-document.js';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (name: string) => ({ content: { 'application/json': { schema: reference(name) } } });
const operation = (operationId: string, body: string, answer: string) => ({
  operationId,
  description: `See \`${operationId}\`.`,
  tags: ['things'],
  requestBody: content(body),
  responses: { 200: content(answer) },
});

const id = { type: 'integer', readOnly: true };
const WHOLE = {
  info: { title: 'Things' },
  tags: [{ name: 'things' }],
  paths: {
    '/api/v1/things': { put: operation('replaceThing', 'ThingReplace', 'Thing') },
    '/api/v2/things': { put: operation('replaceThingV2', 'ThingReplaceV2', 'ThingV2') },
    '/api/v2/both': { put: operation('replaceBothV2', 'Both', 'BothV2') },
  },
  components: {
    schemas: {
      Thing: { properties: { id } },
      ThingReplace: { properties: { id } },
      ThingV2: { properties: { id } },
      ThingReplaceV2: { properties: { id, both: reference('Both') } },
      Both: { properties: { id } },
      BothV2: { properties: { id } },
    },
  },
};

describe('versionDocument', () => {
  const document = versionDocument(WHOLE, 'v2') as unknown as typeof WHOLE;
  const { put } = document.paths['/api/v2/things'];
  const schemas: Record<string, unknown> = document.components.schemas;

  it('leaves out the version in the names of operations and components, and in references to them', () => {
    expect(put).toEqual({ ...operation('replaceThing', 'ThingReplace', 'Thing') });
    expect(Object.keys(document.paths)).toEqual(['/api/v2/things', '/api/v2/both']);
    expect(schemas).toHaveProperty('Thing');
  });

  it('keeps a name if its short form is already used in the same document', () => {
    expect(Object.keys(schemas)).toEqual(['Thing', 'ThingReplace', 'Both', 'BothV2']);
  });

  it('leaves out the members that only later versions have', () => {
    const problem = { properties: { id, trace_id: { type: 'string', 'x-since': 'v2' } } };
    const whole = {
      ...WHOLE,
      components: { schemas: { ...WHOLE.components.schemas, Thing: problem, ThingV2: problem } },
    };
    const shown = (version: 'v1' | 'v2') =>
      (versionDocument(whole, version) as unknown as typeof WHOLE).components.schemas.Thing;
    expect(shown('v1')).toEqual({ properties: { id } });
    expect(shown('v2')).toEqual(problem);
  });

  it('names a reference without a target', () => {
    const paths = { '/api/v1/things': { put: operation('replaceThing', 'ThingReplace', 'Lost') } };
    expect(() => versionDocument({ ...WHOLE, paths }, 'v1')).toThrow(
      'The contract has nothing at #/components/schemas/Lost.',
    );
  });

  it('keeps the components of the answers if another operation has no answers', () => {
    const { responses: _, ...silent } = operation('touchThing', 'ThingReplace', 'Thing');
    const things = { put: operation('replaceThing', 'ThingReplace', 'Thing'), post: silent };
    const shown = versionDocument({ ...WHOLE, paths: { '/api/v1/things': things } }, 'v1');
    expect((shown as unknown as typeof WHOLE).components.schemas.Thing).toEqual({ properties: { id } });
  });

  it('keeps the mark readOnly in the schemas of answers, and removes it elsewhere', () => {
    expect(schemas['Thing']).toEqual({ properties: { id } });
    expect(schemas['ThingReplace']).toEqual({
      properties: { id: { type: 'integer' }, both: reference('Both') },
    });
  });
});
