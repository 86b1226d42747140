import { Global, Module } from '@nestjs/common';
import { HeldBytes } from './held-bytes.js';
import { Places } from './places.js';
import { RateLimits } from './rate-limits.js';

/** How much may be asked, and be open at a time; the steps that ask are in engine/http/identification.ts. */
@Global()
@Module({ providers: [RateLimits, Places, HeldBytes], exports: [RateLimits, Places, HeldBytes] })
export class RateLimitsModule {}
