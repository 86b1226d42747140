declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** The properties that Swagger UI gives to a component, as far as we use them. */
  interface Properties {
    readonly layoutSelectors: { currentFilter(): string | boolean | null };
    readonly specSelectors: { taggedOperations(): { readonly size: number } };
    readonly layoutActions: { updateFilter(phrase: string): void };
    /** The text of a link to an operation or a group. */
    readonly text: string;
  }

  type Component = (props: Properties) => unknown;

  interface System {
    readonly React: { createElement(type: unknown, props: object | null, ...children: unknown[]): unknown };
  }

  /**
   * The settings that we use. All settings: https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/.
   */
  interface Settings {
    readonly domNode: Element | null;
    readonly url: string;
    readonly validatorUrl: string | null;
    readonly deepLinking: boolean;
    readonly docExpansion: 'list' | 'full' | 'none';
    readonly defaultModelsExpandDepth: number;
    readonly displayRequestDuration: boolean;
    readonly oauth2RedirectUrl: string;
    /** Shows a search field. */
    readonly filter: boolean;
    readonly requestInterceptor: (request: Sent) => Promise<Sent>;
    readonly plugins: readonly Plugin[];
  }

  interface Sent {
    readonly url: string;
    readonly headers: Record<string, string>;
    /** Whether this is the request for the description itself. */
    readonly loadSpec?: boolean;
  }

  export type Plugin = (system: System) => {
    readonly wrapComponents?: Readonly<Record<string, (original: Component) => Component>>;
    readonly components?: Readonly<Record<string, Component>>;
    readonly fn?: Readonly<Record<string, unknown>>;
    readonly statePlugins?: Readonly<Record<string, unknown>>;
  };

  interface SwaggerUI {
    initOAuth(options: { readonly usePkceWithAuthorizationCodeGrant: boolean }): void;
  }

  export default function SwaggerUIBundle(settings: Settings): SwaggerUI;
}

interface Window {
  /** The data that Swagger UI leaves for the page to which the authorization server redirects the visitor. */
  readonly swaggerUIRedirectOauth2?: {
    readonly state: string;
    readonly redirectUrl: string;
    readonly auth: { readonly name: string; state?: string; code?: string };
    callback(answer: { readonly auth: object; readonly redirectUrl: string }): void;
    errCb(error: {
      readonly authId: string;
      readonly source: string;
      readonly level: string;
      readonly message: string;
    }): void;
  };
}
