import { Controller } from '@nestjs/common';
import { OPENAPI_YAML, SCHEMA_GRAPHQL } from '../contract/documents.js';
import { Operation, type Operations } from '../contract/operation.js';
import { NotFound } from '../errors.js';
import { PROBLEMS, type ProblemCode } from '../problem-kinds.js';
import type { GetProblemTypePath } from '../generated/dto.js';
import { typeOf } from '../problem.js';

declare module '../contract/complete.js' {
  interface Controllers {
    documents: DocumentsController;
  }
}

async function parsed(): ReturnType<Operations['getOpenApiJson']> {
  const { parse } = await import('yaml');
  return Object.freeze(parse(OPENAPI_YAML) as Awaited<ReturnType<Operations['getOpenApiJson']>>);
}

/** The contracts as they stand in the source, and what the `type` of a problem leads to. */
@Controller()
export class DocumentsController implements Pick<
  Operations,
  'getOpenApiYaml' | 'getOpenApiJson' | 'getGraphqlSchema' | 'getProblemType'
> {
  private openApi: ReturnType<Operations['getOpenApiJson']> | undefined;

  @Operation('getOpenApiYaml')
  async getOpenApiYaml(): Promise<string> {
    return OPENAPI_YAML;
  }

  @Operation('getOpenApiJson')
  getOpenApiJson(): ReturnType<Operations['getOpenApiJson']> {
    return (this.openApi ??= parsed());
  }

  @Operation('getGraphqlSchema')
  async getGraphqlSchema(): Promise<string> {
    return SCHEMA_GRAPHQL;
  }

  @Operation('getProblemType')
  async getProblemType({ code: name }: GetProblemTypePath) {
    const code = name.toUpperCase().replaceAll('-', '_');
    if (!Object.hasOwn(PROBLEMS, code)) throw new NotFound(`There is no kind of problem called ${name}.`);
    const { title, status, description } = PROBLEMS[code as ProblemCode];
    return { type: typeOf(code as ProblemCode), code, title, status, description };
  }
}
