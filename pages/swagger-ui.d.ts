declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  type Component = (props: object) => unknown;

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
    readonly plugins: readonly ((system: System) => {
      readonly wrapComponents: Readonly<Record<string, (original: Component) => Component>>;
    })[];
  }

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
