import { Controller } from '@nestjs/common';
import { publicJwkOf, SigningKeys } from '../tokens/signing-keys.js';
import { AccessConfig } from '../../engine/config/slices.js';
import { Operation, type Operations } from '../../engine/contract/operation.js';
import { SCOPES } from '../../generated/operations.js';
import { BESIDES_SCOPES } from '../accounts/lending.js';
import { ROUTES } from './routes.js';

type Handled =
  | 'getProtectedResourceMetadata'
  | 'getAuthorizationServerMetadata'
  | 'getOpenIdConfiguration'
  | 'getSigningKeys';
type Metadata = Awaited<ReturnType<Operations['getAuthorizationServerMetadata']>>;
type Keys = Awaited<ReturnType<Operations['getSigningKeys']>>;

const WITH_SECRET = ['client_secret_basic', 'client_secret_post'];

/** The metadata that clients discover. We write it ourselves, so that the library need not be loaded for it. */
@Controller()
export class MetadataController implements Pick<Operations, Handled> {
  private readonly issuer: string;
  private readonly audience: string;

  constructor(
    { issuer, audience }: AccessConfig,
    private readonly signingKeys: SigningKeys,
  ) {
    this.issuer = issuer;
    this.audience = audience;
  }

  @Operation('getProtectedResourceMetadata')
  async getProtectedResourceMetadata() {
    return {
      resource: this.audience,
      resource_name: 'Store service',
      authorization_servers: [this.issuer],
      jwks_uri: this.issuer + ROUTES.jwks,
      scopes_supported: [...SCOPES],
      bearer_methods_supported: ['header'],
      resource_documentation: `${this.audience}/docs`,
    };
  }

  @Operation('getAuthorizationServerMetadata')
  async getAuthorizationServerMetadata(): Promise<Metadata> {
    return this.metadata();
  }

  @Operation('getOpenIdConfiguration')
  async getOpenIdConfiguration(): Promise<Metadata> {
    return this.metadata();
  }

  @Operation('getSigningKeys')
  async getSigningKeys(): Promise<Keys> {
    const keys = await this.signingKeys.all();
    return { keys: keys.map((key) => publicJwkOf(key) as Keys['keys'][number]) };
  }

  private metadata(): Metadata {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: issuer + ROUTES.authorization,
      token_endpoint: issuer + ROUTES.token,
      jwks_uri: issuer + ROUTES.jwks,
      introspection_endpoint: issuer + ROUTES.introspection,
      revocation_endpoint: issuer + ROUTES.revocation,
      end_session_endpoint: issuer + ROUTES.end_session,
      protected_resources: [this.audience],
      scopes_supported: [...SCOPES, ...BESIDES_SCOPES],
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
      token_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
      introspection_endpoint_auth_methods_supported: WITH_SECRET,
      revocation_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
      code_challenge_methods_supported: ['S256'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    };
  }
}
