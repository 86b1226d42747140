import type { Plugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

interface Description {
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

interface Parameter {
  readonly required?: boolean;
  readonly example?: unknown;
}

/**
 * Swagger UI fills each field with the example of its parameter. For an optional parameter this would change the
 * answer: an example of a cursor is refused, and an example of a filter finds nothing. So these fields are empty.
 */
export const optionalFieldsEmpty: Plugin = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original: (description: Description) => unknown) => (description: Description) =>
          original(withoutExamples(description)),
      },
    },
  },
});

function withoutExamples(description: Description): Description {
  const { components = {} } = description;
  const parameters = Object.entries(components.parameters ?? {}).map(
    ([name, parameter]): [string, Parameter] => {
      const { example: _example, ...rest } = parameter;
      return [name, parameter.required === true ? parameter : rest];
    },
  );
  return { ...description, components: { ...components, parameters: Object.fromEntries(parameters) } };
}
