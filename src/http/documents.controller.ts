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

/** The contracts as they stand in the source, and what the `type` of a problem leads to. */
@Controller()
export class DocumentsController implements Pick<
  Operations,
  'getOpenApiYaml' | 'getOpenApiJson' | 'getGraphqlSchema' | 'getProblemType'
> {
  private openApi: Awaited<ReturnType<Operations['getOpenApiJson']>> | undefined;

  @Operation('getOpenApiYaml')
  async getOpenApiYaml(): Promise<string> {
    return OPENAPI_YAML;
  }

  @Operation('getOpenApiJson')
  async getOpenApiJson() {
    if (this.openApi === undefined) {
      const { parse } = await import('yaml');
      this.openApi = Object.freeze(parse(OPENAPI_YAML) as NonNullable<typeof this.openApi>);
    }
    return this.openApi;
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
