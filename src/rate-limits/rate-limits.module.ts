import { Global, Module } from '@nestjs/common';
import { RateLimits } from './rate-limits.js';

/** How much may be asked; the steps that ask are in http/identification.ts. */
@Global()
@Module({ providers: [RateLimits], exports: [RateLimits] })
export class RateLimitsModule {}
