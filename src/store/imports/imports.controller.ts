import { Readable } from 'node:stream';
import { Controller } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { LiveAnswer } from '../../engine/contract/live-answer.js';
import { Operation } from '../../engine/contract/operation.js';
import type * as dto from '../../generated/dto.js';
import { mappingOf } from './import-mapping.js';
import { ImportRunner } from './import-runner.js';
import { ImportsRepository, requireImportOf } from './imports.repository.js';

@Controller()
export class ImportsController {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly runner: ImportRunner,
  ) {}

  @Operation('listImports')
  listImports({ limit, sort }: dto.ListImportsQuery, { position, principal }: Context) {
    return this.imports.slice({ position, limit }, principal, sort);
  }

  @Operation('createImport')
  async createImport(body: dto.ImportCreate, context: Context) {
    const { kind, format, rehearsal, events, source, mapping = null } = body;
    requireImportOf(kind, context.principal);
    const wanted = { kind, format, orderLines: body.order_lines, mapping };
    const rules = await mappingOf({ ...wanted, source });
    return this.imports.create({ ...wanted, rehearsal, events, source: rules.source }, context);
  }

  @Operation('getImport')
  getImport({ id }: dto.GetImportPath, { principal }: Context) {
    return this.imports.find(id, principal);
  }

  @Operation('cancelImport')
  async cancelImport({ id }: dto.CancelImportPath, context: Context) {
    const ended = await this.imports.cancel(id, context);
    if (ended !== null) this.runner.cleanUp();
    return ended;
  }

  @Operation('addImportPart')
  async addImportPart(
    { id }: dto.AddImportPartPath,
    { number, text, last }: dto.ImportPart,
    context: Context,
  ) {
    const stored = await this.imports.addPart(id, { number, text, isLast: last }, context);
    if (stored?.state === 'waiting') this.runner.wake();
    return stored;
  }

  @Operation('listImportRefusals')
  listImportRefusals(
    { id }: dto.ListImportRefusalsPath,
    { limit }: dto.ListImportRefusalsQuery,
    { position, principal }: Context,
  ) {
    return this.imports.refusals(id, { position, limit }, principal);
  }

  @Operation('getRefusedRows')
  async getRefusedRows({ id }: dto.GetRefusedRowsPath, { principal }: Context) {
    const found = await this.imports.find(id, principal);
    if (found === null) return null;
    const chunks = found.endedAt === null ? [] : this.imports.refusedRows(id);
    return LiveAnswer.instead((request, reply) => {
      void reply
        .type('text/plain; charset=utf-8')
        .header('content-disposition', `attachment; filename="refused.${found.format}"`)
        .send(request.method === 'HEAD' ? '' : Readable.from(chunks, { objectMode: false }));
    });
  }
}
