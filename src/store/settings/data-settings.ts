import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ConfigError } from '../../engine/config/config.js';
import { one, run, sql } from '../../engine/database/sql.js';
import { UnitOfWork } from '../../engine/database/unit-of-work.js';
import { Currency } from '../../engine/values/currency.js';

/** The first start stores the currency of the data. Each later start compares its currency with the stored one. */
@Injectable()
export class DataSettings implements OnModuleInit {
  constructor(
    private readonly currency: Currency,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws ConfigError when the prices in the database are in another currency */
  async onModuleInit(): Promise<void> {
    const { code } = this.currency;
    const stored = await this.unitOfWork.run(function* () {
      yield* run(
        sql`INSERT INTO settings (name, value) VALUES ('currency', ${code}) ON CONFLICT (name) DO NOTHING`,
      );
      return yield* one<{ value: string }>(sql`SELECT value FROM settings WHERE name = 'currency'`);
    });
    if (stored?.value !== code) {
      throw new ConfigError([
        `STORE_CURRENCY is ${code}, but the prices in the database are in ${stored?.value}. Set it to ${stored?.value}.`,
      ]);
    }
  }
}
