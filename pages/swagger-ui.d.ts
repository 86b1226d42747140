declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** The settings that we use; all are at https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/. */
  interface Settings {
    readonly domNode: Element | null;
    readonly url: string;
    readonly validatorUrl: string | null;
    readonly deepLinking: boolean;
    readonly docExpansion: 'list' | 'full' | 'none';
    readonly defaultModelsExpandDepth: number;
    readonly displayRequestDuration: boolean;
    readonly onComplete?: () => void;
  }

  export default function SwaggerUIBundle(settings: Settings): unknown;
}
