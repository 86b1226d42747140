import { format } from 'prettier';
import { Contract } from './contract/complete.ts';
import { Copies } from './contract/copies.ts';
import { completeSdl } from './contract/sdl.ts';
import { emitBodies } from './emit/bodies.ts';
import { emitContract, representedIn } from './emit/contract.ts';
import { emitDtos } from './emit/dto.ts';
import { emitFields } from './emit/fields.ts';
import { emitForms } from './emit/forms.ts';
import { emitGraphql } from './emit/graphql.ts';
import { emitOperations } from './emit/operations.ts';
import { emitPlain } from './emit/plain.ts';
import { emitRelations } from './emit/relations.ts';
import { emitSchemas } from './emit/schemas.ts';
import { emitViews } from './emit/views.ts';
import { ContractError, Faults, type ContractFault } from './faults.ts';
import { fieldsOf, inputDtos } from './graphql/fields.ts';
import { lint } from './graphql/lint.ts';
import { readSdl } from './graphql/schema.ts';
import { Document } from './openapi/document.ts';
import { checkLinks } from './openapi/links.ts';
import { readOperations } from './openapi/operations.ts';
import { checkRelations } from './openapi/relations.ts';
import { checkShownOnce } from './openapi/shown-once.ts';
import { usedDtos } from './used.ts';
import { tie } from './ties/ties.ts';

/**
 * Turns the two contracts into the files of `src/generated`, by name. The same contracts give the same bytes.
 *
 * @throws ContractError with all faults that were found in both contracts and in the ties between them
 */
export async function generate(openapi: string, graphql: string): Promise<Map<string, string>> {
  const files = await emit(openapi, graphql);
  for (const [name, text] of files)
    files.set(
      name,
      await format(text, { parser: 'typescript', singleQuote: true, trailingComma: 'all', printWidth: 110 }),
    );
  return files;
}

/** The files of `generate`, but not formatted. */
export async function emit(openapi: string, graphql: string): Promise<Map<string, string>> {
  const faults = new Faults();
  const document = new Document(openapi, faults);
  const sdl = readSdl(graphql, faults);
  const rest = readOperations(document);
  checkLinks(document, rest);
  checkRelations(document, rest);
  checkShownOnce(document, rest);
  lint(sdl, rest.scopes);
  const ties = tie(document, rest, sdl);
  const inputs = inputDtos(sdl, ties.enums, ties.inputs);
  const dtos = usedDtos(rest, inputs, faults);
  const contract = emitContract(document, rest);
  faults.throwIfAny();
  const roots = [sdl.schema.getQueryType(), sdl.schema.getMutationType(), sdl.schema.getSubscriptionType()];
  return new Map([
    ['bodies.ts', emitBodies(document, rest)],
    ['contract.ts', contract],
    ['dto.ts', emitDtos(dtos)],
    [
      'fields.ts',
      emitFields(
        fieldsOf(sdl),
        roots.flatMap((type) => (type == null ? [] : [type.name])),
      ),
    ],
    ['forms.ts', emitForms(document, rest)],
    ['graphql.ts', await emitGraphql(sdl, ties, inputs)],
    ['operations.ts', emitOperations(rest, ties.entities.values(), openapi, graphql)],
    ['plain.ts', emitPlain(document, representedIn(document, rest.operations))],
    ['relations.ts', emitRelations(document, rest)],
    ['schemas.ts', emitSchemas(document)],
    ['views.ts', emitViews(document, rest)],
  ]);
}

/**
 * A fault for each part that `npm run contract` would add, replace or remove, and for each wrong name in a short form.
 * Other faults are often consequences of these faults. So these faults are reported first, and alone.
 */
export async function missingParts(
  openapi: string,
  graphql: string,
  copies = new Copies(),
): Promise<readonly ContractFault[]> {
  try {
    const missing = new Contract(openapi, copies).faults();
    return missing.length > 0 ? missing : (await completeSdl(openapi, graphql, copies)).faults;
  } catch (error) {
    // The generator finds these faults too, together with all other faults.
    if (error instanceof ContractError) return [];
    throw error;
  }
}
