import { Client, type ClientConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { shownUrl } from '../config/shown-url.js';
import { DatabaseSettingsError } from './settings-error.js';

/** The method that the types of the driver leave out: it makes the first message of a connection. */
interface Starting extends Client {
  getStartupConf(): Record<string, string>;
}

const DriverClient = Client as unknown as new (config?: string | ClientConfig) => Starting;

/**
 * A connection whose dates have the form that the service reads, whatever the settings of the database and of the user
 * say. The setting is in the first message, so it costs no round trip. A pooler such as PgBouncer applies it to each
 * session that it gives to the connection. (The driver sets `client_encoding` in the same way.)
 */
export class IsoClient extends DriverClient {
  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), DateStyle: 'ISO, MDY' };
  }
}

interface Settings {
  readonly encoding: string;
  readonly dates: string;
  readonly backslashes: string;
}

/** @throws DatabaseSettingsError when the service cannot work with the settings of the database */
export async function requireSettings(dataSource: DataSource): Promise<void> {
  const [found] = await dataSource.query<Settings[]>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('DateStyle') AS dates,
      current_setting('standard_conforming_strings') AS backslashes`,
  );
  const fault = found && faultIn(found);
  if (!fault) return;
  const url = 'url' in dataSource.options ? (dataSource.options.url ?? '') : '';
  throw new DatabaseSettingsError(`The database of «${shownUrl(url)}» ${fault}`);
}

function faultIn({ encoding, dates, backslashes }: Settings): string | null {
  if (encoding !== 'UTF8') {
    return (
      `has the encoding ${encoding}, which cannot hold every text. Make a database with the encoding UTF8 ` +
      "(CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0), and set STORE_DATABASE_URL to it."
    );
  }
  if (backslashes !== 'on') {
    return 'has standard_conforming_strings = off. Set it to on (ALTER DATABASE … SET standard_conforming_strings = on).';
  }
  // The service asks for this form. A pooler may ignore that.
  if (!dates.startsWith('ISO')) {
    return `writes dates in the form «${dates}». Set it to ISO (ALTER DATABASE … SET DateStyle = 'ISO').`;
  }
  return null;
}
