import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Unavailable } from '../../engine/errors/errors.js';
import { currentSpan, SpanForm } from '../../engine/tracing/span.js';
import { calling } from '../../engine/tracing/trace-parent.js';
import type { Algorithm } from '../../engine/config/outside-issuers.js';

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 262_144;
const MOST_KEYS = 100;
const RENEWED_AFTER_MS = 10 * 60_000;
/** The time for which keys are trusted while the issuer cannot be reached. */
const TRUSTED_MS = 24 * 3_600_000;
// The pause between two requests to the issuer. Without this pause, each invented key id of a caller would cause a
// request to the issuer.
const PAUSE_MS = 10_000;

interface RemoteKey {
  readonly key: KeyObject;
  readonly algorithm: string | null;
}

/**
 * The public keys of an outside issuer, from its JWK Set. They are fetched when a token needs them: if they are older
 * than ten minutes, or if the token names an unknown key. While the issuer cannot be reached, the known keys stay valid
 * until a day after they were fetched.
 */
export class RemoteKeys {
  private readonly logger = new Logger('RemoteKeys');
  private keys: ReadonlyMap<string, RemoteKey> = new Map();
  private loadedAt = -Infinity;
  private triedAt = -Infinity;
  private loading: Promise<void> | null = null;
  private hasFailed = false;

  constructor(
    private readonly address: string,
    private readonly algorithms: readonly Algorithm[],
  ) {}

  /**
   * Null when the issuer has no such key for this algorithm.
   *
   * @throws Unavailable when the key is not known or no longer trusted, and the last attempt to fetch the keys failed
   */
  async find(kid: string, algorithm: string): Promise<KeyObject | null> {
    const isDue = performance.now() - this.loadedAt > RENEWED_AFTER_MS;
    const mayAsk = this.loading !== null || performance.now() - this.triedAt > PAUSE_MS;
    if ((isDue || !this.keys.has(kid)) && mayAsk) await this.load();
    const isTrusted = performance.now() - this.loadedAt <= TRUSTED_MS;
    const found = isTrusted ? this.keys.get(kid) : undefined;
    if (!found && this.hasFailed) {
      throw new Unavailable('The keys of the issuer of this access token cannot be read now.');
    }
    return found && (found.algorithm ?? algorithm) === algorithm ? found.key : null;
  }

  private load(): Promise<void> {
    this.loading ??= this.ask().finally(() => (this.loading = null));
    return this.loading;
  }

  private async ask(): Promise<void> {
    this.triedAt = performance.now();
    try {
      this.keys = keysIn(await textAt(this.address), this.algorithms);
      this.loadedAt = performance.now();
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      this.logger.warn(`The keys at ${this.address} could not be read: ${reasonOf(error)}`);
    }
  }
}

const CALL = new SpanForm('GET', 'client', { 'http.request.method': 'GET' });

function textAt(address: string): Promise<string> {
  const { origin, pathname } = new URL(address);
  const span = currentSpan()?.child(CALL, { 'url.full': `${origin}${pathname}` });
  return span === undefined ? readText(address, {}) : span.around(() => readText(address, calling(span)));
}

/** Redirects are not followed, because the setting says where the keys are. */
async function readText(address: string, tracing: Record<string, string>): Promise<string> {
  const response = await fetch(address, {
    headers: { accept: 'application/jwk-set+json, application/json', ...tracing },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) throw new Error(`it answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new Error(`it sent more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function keysIn(text: string, algorithms: readonly Algorithm[]): Map<string, RemoteKey> {
  const { keys } = JSON.parse(text) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error('its answer is not a JWK Set');
  const found = new Map<string, RemoteKey>();
  for (const jwk of keys.slice(0, MOST_KEYS) as unknown[]) {
    if (typeof jwk !== 'object' || jwk === null) continue;
    const { kid, use = 'sig', alg = null, key_ops } = jwk as Record<string, unknown>;
    const isForVerifying = use === 'sig' && (!Array.isArray(key_ops) || key_ops.includes('verify'));
    const isFitting = alg === null || algorithms.some((algorithm) => algorithm === alg);
    const key = publicKeyOf(jwk as JsonWebKey);
    if (typeof kid !== 'string' || !isForVerifying || !isFitting || !key) continue;
    found.set(kid, { key, algorithm: alg as string | null });
  }
  return found;
}

/** Null if this code does not know the kind of the key, or if the key is too weak. */
function publicKeyOf({ kty, crv, x, y, n, e }: JsonWebKey): KeyObject | null {
  try {
    // Only the public members are read, so a private part that an issuer published by mistake is not stored here.
    const key = createPublicKey({
      key: kty === 'EC' ? { kty, crv, x, y } : { kty, n, e },
      format: 'jwk',
    } as Parameters<typeof createPublicKey>[0]);
    const { modulusLength = 2_048 } = key.asymmetricKeyDetails ?? {};
    return modulusLength >= 2_048 ? key : null;
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
