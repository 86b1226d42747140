import type { ExceptionFilter } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HOST_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  SSE_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/internal';
import type { ApplicationConfig, DiscoveryService } from '@nestjs/core';

type Wrapper = ReturnType<DiscoveryService['getControllers']>[number];

/** The decorators of controllers and of their methods that change the work of Nest's router. */
const UNKNOWN: Readonly<Record<string, string>> = {
  [GUARDS_METADATA]: '@UseGuards',
  [PIPES_METADATA]: '@UsePipes',
  [INTERCEPTORS_METADATA]: '@UseInterceptors',
  [EXCEPTION_FILTERS_METADATA]: '@UseFilters',
  [HEADERS_METADATA]: '@Header',
  [REDIRECT_METADATA]: '@Redirect',
  [RENDER_METADATA]: '@Render',
  [SSE_METADATA]: '@Sse',
  [VERSION_METADATA]: '@Version',
  [HOST_METADATA]: '@Controller({ host })',
};

/**
 * Refuses a controller that needs a part of Nest's router that the handlers of lane.ts do not have. Without this check,
 * a guard of the controller would never run.
 *
 * @throws Error for a decorator of Nest that these handlers do not know, or a controller that is made for each request
 */
export function requireKnown(wrapper: Wrapper, method: object): void {
  const controller = wrapper.metatype as object;
  const name = String(wrapper.name);
  if (!wrapper.isDependencyTreeStatic()) {
    throw new Error(
      `${name} is made for each request. The controller of an operation must be made only once.`,
    );
  }
  for (const [key, decorator] of Object.entries(UNKNOWN)) {
    if (Reflect.getMetadata(key, controller) === undefined && Reflect.getMetadata(key, method) === undefined)
      continue;
    throw new Error(
      `${name} uses ${decorator}, which operations do not have. The contract says who may call an operation, and what it takes and answers. For all other checks, register a global guard (APP_GUARD).`,
    );
  }
}

/**
 * Refuses global enhancers that the handlers of lane.ts do not call, and returns the method of the one filter that
 * answers errors.
 *
 * @throws Error for a global enhancer that these handlers do not call, or if there is not exactly one such filter
 */
export function requireKnownGlobals(config: ApplicationConfig): ExceptionFilter['catch'] {
  const [filter, ...others] = config.getGlobalFilters();
  const unknown = [
    ...config.getGlobalPipes(),
    ...config.getGlobalInterceptors(),
    ...config.getGlobalRequestGuards(),
    ...config.getGlobalRequestPipes(),
    ...config.getGlobalRequestInterceptors(),
    ...config.getGlobalRequestFilters(),
  ];
  if (filter === undefined || others.length > 0 || unknown.length > 0) {
    throw new Error(
      'Operations know global guards and one global filter, each made once. They know no global pipe, no global interceptor, and nothing global that is made for each request.',
    );
  }
  return filter.catch.bind(filter);
}
