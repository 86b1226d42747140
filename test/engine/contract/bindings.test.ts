import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { Bindings } from '../../../src/app/bindings.js';
import { Operation } from '../../../src/engine/contract/operation.js';
import { FIELDS, type Field } from '../../../src/generated/fields.js';
import { startApp } from '../../support/clients/app.js';

@Controller()
class OnlyLiveness {
  @Operation('getLiveness')
  async getLiveness() {
    return { status: 'ok' } as const;
  }
}

@Controller()
class LivenessAgain {
  @Operation('getLiveness')
  async getLiveness() {
    return { status: 'ok' } as const;
  }
}

@Module({ imports: [DiscoveryModule], controllers: [OnlyLiveness, LivenessAgain], providers: [Bindings] })
class HalfAnApplication {}

describe('Bindings', () => {
  it('stops the start if handlers are missing or duplicate, and names their operations and fields', async () => {
    const starting = NestFactory.createApplicationContext(HalfAnApplication, {
      logger: false,
      abortOnError: false,
    });
    await expect(starting).rejects.toThrow('the operation getLiveness has several handlers');
    await expect(starting).rejects.toThrow('the operation createProduct has no handler');
    await expect(starting).rejects.toThrow('the field Query.products has no handler');
  });

  it('stops the start if a field with @auth has no handler, because every caller would get its value', async () => {
    const fields = FIELDS as Record<string, Field>;
    const { access } = fields['Product.description'] as Field;
    Object.assign(fields['Product.description'] as Field, { access: { scopes: ['admin'], owner: null } });
    try {
      await expect(startApp('sqlite')).rejects.toThrow('the field Product.description has no handler');
    } finally {
      Object.assign(fields['Product.description'] as Field, { access });
    }
  });

  it('stops the start at a route that is in no contract', async () => {
    await expect(
      startApp('sqlite', {}, (app) => {
        app
          .getHttpAdapter()
          .getInstance()
          .get('/backdoor', () => 'open');
      }),
    ).rejects.toThrow('GET /backdoor is neither in openapi.yaml nor in a RouteSet');
  });
});
