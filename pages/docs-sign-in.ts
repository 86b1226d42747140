/** Where the authorization server sends the visitor back to; a client of the reference names it as its redirect URI. */
export const REDIRECT_PATH = '/docs/oauth2-redirect';

/** The channel on which the reference hears of it. */
export const ANSWERS = 'store:docs-sign-in';
