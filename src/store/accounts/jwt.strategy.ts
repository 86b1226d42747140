import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { ConfigError } from '../../engine/config/config.js';
import { AccessConfig } from '../../engine/config/slices.js';
import { Unauthenticated } from '../../engine/errors/errors.js';
import type { Caller } from '../../engine/access/caller.js';
import { IdentitiesRepository } from './identities.repository.js';
import { isOfType, tokenIn, type ReadToken } from '../../engine/access/jwt.js';
import { CredentialCache, type Proof } from '../../engine/access/credential-cache.js';
import { LinkedIssuer } from './linked-issuer.js';
import { OwnIssuer } from './own-issuer.js';
import { LONGEST_LIFE_MS, Revocations } from '../tokens/revocations.js';
import type { Claims, TrustedIssuer } from './trusted-issuer.js';

// The clocks of two machines differ a little.
const LEEWAY_SECONDS = 5;
const LONGEST_LIFE_SECONDS = LONGEST_LIFE_MS / 1000;

/**
 * Checks the tokens of one issuer. A token must have the name and the audience of the issuer, and an algorithm and a
 * type (`typ`) that the issuer uses.
 */
export class IssuerStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(private readonly issuer: TrustedIssuer) {
    super({
      jwtFromRequest: ({ headers }: Bearer) => tokenIn(headers.authorization ?? ''),
      secretOrKeyProvider: ({ token }: Bearer, _text: string, done: Found) => {
        void findKey(token, issuer, done);
      },
      passReqToCallback: true,
      issuer: issuer.issuer,
      audience: issuer.audience,
      algorithms: [...issuer.algorithms],
      jsonWebTokenOptions: { clockTolerance: LEEWAY_SECONDS, maxAge: LONGEST_LIFE_SECONDS },
    } as unknown as ConstructorParameters<typeof Strategy>[0]);
  }

  /** @throws Unauthenticated */
  validate({ token }: Bearer, verified: Record<string, unknown>): Proof {
    const claims = requireClaims(verified);
    const { kid } = token.header;
    return async () => {
      // This is checked each time that the proof runs, because the clock may have been set back since the token was
      // verified.
      if (claims.iat > Date.now() / 1000 + LEEWAY_SECONDS) throw invalid();
      const principal = await this.issuer.principalOf(claims, kid as string);
      const expiresAt = claims.exp * 1000;
      const end = principal.expiresAt?.getTime() ?? expiresAt;
      // The key that signed the token may end before the token. The leeway is only for the claim `exp`.
      return { principal, until: end < expiresAt ? end : expiresAt + LEEWAY_SECONDS * 1000 };
    };
  }
}

/**
 * A caller that presents a JWT. The token was decoded before its strategy was chosen. The checks of this file use this
 * result, and passport-jwt decodes the token again.
 */
type Bearer = Caller & { readonly token: ReadToken };

type Found = (error: unknown, key?: KeyObject) => void;

async function findKey(token: ReadToken, issuer: TrustedIssuer, done: Found): Promise<void> {
  let key: KeyObject;
  try {
    key = await keyFor(token, issuer);
  } catch (error) {
    return done(error);
  }
  done(null, key);
}

async function keyFor({ header }: ReadToken, issuer: TrustedIssuer): Promise<KeyObject> {
  const { typ, kid, alg } = header;
  const isAllowed = issuer.algorithms.some((algorithm) => algorithm === alg);
  if (!isAllowed || !isOfType(typ, issuer.typ) || typeof kid !== 'string') throw invalid();
  return issuer.keyFor(kid, alg as string);
}

/**
 * Requires the claims `sub` and `exp`, which passport-jwt does not require: it compares `exp` with the clock only if
 * the token has it. A token ends after `LONGEST_LIFE_SECONDS`, even if its `exp` is later.
 */
function requireClaims(verified: Record<string, unknown>): Claims {
  const { sub, iat, exp } = verified;
  if (typeof sub !== 'string' || !STORABLE.test(sub) || typeof iat !== 'number' || typeof exp !== 'number')
    throw invalid();
  return { ...verified, sub, iat, exp: Math.min(exp, iat + LONGEST_LIFE_SECONDS) };
}

/** The strategies of all issuers whose tokens are accepted here. */
@Injectable()
export class JwtStrategies {
  private readonly byIssuer: ReadonlyMap<unknown, IssuerStrategy>;

  /** @throws ConfigError when the settings name this service as an outside issuer */
  constructor(
    own: OwnIssuer,
    revocations: Revocations,
    identities: IdentitiesRepository,
    kept: CredentialCache,
    { jwtIssuers }: AccessConfig,
  ) {
    if (jwtIssuers.some(({ issuer }) => issuer === own.issuer)) {
      throw new ConfigError([`STORE_JWT_ISSUERS names this service itself: ${own.issuer}.`]);
    }
    const others = jwtIssuers.map((settings) => new LinkedIssuer(settings, revocations, identities, kept));
    this.byIssuer = new Map([own, ...others].map((issuer) => [issuer.issuer, new IssuerStrategy(issuer)]));
  }

  /**
   * The strategy of the issuer that a token names. The token is not verified yet.
   *
   * @throws Unauthenticated
   */
  for({ claims }: ReadToken): IssuerStrategy {
    const strategy = this.byIssuer.get(claims['iss']);
    if (!strategy) throw invalid();
    return strategy;
  }
}

/** A text that both databases can store: it is not empty, and has no NUL and no lone surrogate. */
const STORABLE = /^[^\0\p{Cs}]+$/u;

function invalid(): Unauthenticated {
  return new Unauthenticated('The access token is not valid.');
}
