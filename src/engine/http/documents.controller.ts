import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Controller } from '@nestjs/common';
import { OPENAPI_YAML, SCHEMA_GRAPHQL } from '../contract/documents.js';
import { Operation, type Operations } from '../contract/operation.js';
import { versionDocument } from '../contract/version-document.js';
import { NotFound } from '../errors/errors.js';
import { PROBLEMS, type ProblemCode } from '../errors/problem-kinds.js';
import type { GetProblemTypePath } from '../../generated/dto.js';
import type { Version } from '../../generated/operations.js';
import { typeOf } from '../contract/problem.js';

type OpenApi = Awaited<ReturnType<Operations['getOpenApiJson']>>;

// The file of the worker has the same extension as this file: .ts with type stripping, .js in the build.
const PARSER = new URL(`../contract/parse-worker${extname(import.meta.url)}`, import.meta.url);

async function parsed(): Promise<OpenApi> {
  const worker = new Worker(PARSER, { name: 'openapi', workerData: OPENAPI_YAML });
  const [document] = (await once(worker, 'message')) as [OpenApi];
  return Object.freeze(document);
}

/** Serves the contracts, and the descriptions to which the `type` of a problem leads. */
@Controller()
export class DocumentsController implements Pick<
  Operations,
  | 'getOpenApiYaml'
  | 'getOpenApiJson'
  | 'getOpenApiV1Json'
  | 'getOpenApiV2Json'
  | 'getGraphqlSchema'
  | 'getProblemType'
> {
  private openApi: Promise<OpenApi> | undefined;
  private readonly versions = new Map<Version, OpenApi>();

  @Operation('getOpenApiYaml')
  async getOpenApiYaml(): Promise<string> {
    return OPENAPI_YAML;
  }

  @Operation('getOpenApiJson')
  getOpenApiJson(): Promise<OpenApi> {
    return this.whole();
  }

  @Operation('getOpenApiV1Json')
  getOpenApiV1Json(): Promise<OpenApi> {
    return this.versionOf('v1');
  }

  @Operation('getOpenApiV2Json')
  getOpenApiV2Json(): Promise<OpenApi> {
    return this.versionOf('v2');
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

  /** The document is parsed once, at the first request for it or for the document of a version. */
  private whole(): Promise<OpenApi> {
    return (this.openApi ??= parsed().catch((error: unknown) => {
      this.openApi = undefined;
      throw error;
    }));
  }

  private async versionOf(version: Version): Promise<OpenApi> {
    const whole = await this.whole();
    const made = this.versions.get(version) ?? Object.freeze(versionDocument(whole, version) as OpenApi);
    this.versions.set(version, made);
    return made;
  }
}
