import { Global, Module } from '@nestjs/common';
import { HeldBytes } from './held-bytes.js';
import { Places } from './places.js';
import { RateLimits } from './rate-limits.js';

/**
 * The limits of requests, and of open connections and subscriptions. The steps that check the limits of requests are in
 * engine/http/identification.ts.
 */
@Global()
@Module({ providers: [RateLimits, Places, HeldBytes], exports: [RateLimits, Places, HeldBytes] })
export class RateLimitsModule {}
