import { Injectable } from '@nestjs/common';
import { exposition, type MetricsFormat } from './exposition.js';
import { Metrics } from './registry.js';

/**
 * The time for which every scrape gets the same text. So any number of scrapes in this time costs as much as
 * one scrape.
 */
const KEPT_MS = 100;

/** The metrics as text, for any number of readers. */
@Injectable()
export class Scrapes {
  private readonly texts = new Map<MetricsFormat, Promise<string>>();

  constructor(private readonly metrics: Metrics) {}

  textIn(format: MetricsFormat): Promise<string> {
    const kept = this.texts.get(format);
    if (kept) return kept;
    const text = this.metrics.families().then((families) => exposition(families, format));
    this.texts.set(format, text);
    const forget = (): void => void this.texts.delete(format);
    text.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
    return text;
  }
}
