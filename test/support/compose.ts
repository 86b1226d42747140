const TEXT = { type: 'string', minLength: 1 };
const TEXTS = { type: 'array', items: TEXT, minItems: 1 };
const DURATION = { type: 'string', pattern: '^([0-9]+(ms|s|m|h))+$' };

function exactly(properties: object, required: readonly string[] = []): object {
  return { type: 'object', additionalProperties: false, properties, required };
}

const SERVICE = exactly(
  {
    build: TEXT,
    image: TEXT,
    command: { type: 'array', items: { type: 'string' }, minItems: 1 },
    // A number or a boolean would be taken for one of YAML's, not for text.
    environment: { type: 'object', additionalProperties: { type: 'string' } },
    depends_on: {
      type: 'object',
      additionalProperties: exactly({ condition: { enum: ['service_started', 'service_healthy'] } }, [
        'condition',
      ]),
    },
    healthcheck: exactly(
      {
        test: { type: 'array', items: TEXT, minItems: 2, prefixItems: [{ const: 'CMD' }] },
        interval: DURATION,
        timeout: DURATION,
        retries: { type: 'integer', minimum: 1 },
      },
      ['test', 'interval', 'timeout', 'retries'],
    ),
    ports: TEXTS,
    networks: TEXTS,
    volumes: TEXTS,
    tmpfs: TEXTS,
    cap_drop: TEXTS,
    security_opt: TEXTS,
    read_only: { type: 'boolean' },
    restart: { enum: ['unless-stopped'] },
    stop_grace_period: DURATION,
  },
  ['image', 'restart'],
);

const SUBNET = exactly({ subnet: TEXT }, ['subnet']);
const IPAM = exactly({ config: { type: 'array', items: SUBNET, minItems: 1 } }, ['config']);
/** One without words of its own gets what Docker gives. */
const NETWORK = { anyOf: [{ type: 'null' }, exactly({ ipam: IPAM }, ['ipam'])] };

/** What `compose.yaml` says, in the words of the Compose specification that it uses: a misspelt one is none of them. */
export const COMPOSE = {
  ...exactly(
    {
      name: TEXT,
      services: { type: 'object', additionalProperties: SERVICE, minProperties: 1 },
      volumes: { type: 'object', additionalProperties: { type: 'null' } },
      networks: { type: 'object', additionalProperties: NETWORK },
    },
    ['services'],
  ),
  patternProperties: { '^x-': {} },
};
