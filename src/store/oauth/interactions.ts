import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import { Logins } from '../accounts/logins.js';
import { subjectOf, userIdIn } from '../tokens/subject.js';
import { NotFound, StoreError } from '../../engine/errors/errors.js';
import { UsersRepository } from '../users/users.repository.js';
import { lendable, wordsFor } from '../accounts/lending.js';
import { OAuthServer } from './oauth-server.js';
import { consentPage, policyTo, signInPage } from './pages.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The answer to a browser: a page to fill in, or the address to go to next. */
export type Turn =
  { readonly status: number; readonly page: string; readonly policy: string } | { readonly next: string };

const WRONG = 'The e-mail address or the password is wrong.';

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly uid: string;
}

/** The sign-in and consent of users, between the authorization request of a client and its answer. */
@Injectable()
export class Interactions {
  constructor(
    private readonly server: OAuthServer,
    private readonly logins: Logins,
    private readonly users: UsersRepository,
  ) {}

  /**
   * @throws NotFound when this browser has not begun the interaction or began it too long ago, or when the client or
   *   the user no longer exists
   */
  async show(visit: Visit): Promise<Turn> {
    const { provider, interaction } = await this.begun(visit);
    if (interaction.prompt.name === 'login') return this.signIn(provider, interaction, 200, '', null);
    return this.consent(visit, provider, interaction);
  }

  /**
   * Handles the form of the sign-in or of the consent, which the browser has sent.
   *
   * @throws NotFound when this browser has not begun the interaction or began it too long ago, or when the client or
   *   the user no longer exists
   */
  async take(visit: Visit, form: URLSearchParams, ip: string): Promise<Turn> {
    const { provider, interaction } = await this.begun(visit);
    const finish = async (result: InteractionResults): Promise<Turn> => ({
      next: await provider.interactionResult(visit.request, visit.response, result),
    });
    try {
      if (form.get('decision') !== 'allow') {
        return await finish({ error: 'access_denied', error_description: 'the user refused' });
      }
      if (interaction.prompt.name !== 'login') return await finish(await this.agreed(provider, interaction));
    } catch (error) {
      throw hasEnded(error) ? new NotFound('This sign-in has ended.') : error;
    }

    const email = form.get('email') ?? '';
    // The sign-in begins at this moment. If all sign-ins of the user are ended later, this sign-in ends too.
    const ts = Date.now() / 1000;
    try {
      const user = await this.logins.find(email, form.get('password') ?? '', ip);
      if (user) return await finish({ login: { accountId: subjectOf(user.id), ts } });
      return await this.signIn(provider, interaction, 403, email, WRONG);
    } catch (error) {
      if (hasEnded(error)) return this.signIn(provider, interaction, 403, email, WRONG);
      if (!(error instanceof StoreError)) throw error;
      const fault = `${error.message} Wait a little, and try again.`;
      return this.signIn(provider, interaction, 503, email, fault);
    }
  }

  private async begun({ request, response, uid }: Visit) {
    const provider = await this.server.provider();
    // This call fails if the cookie is missing or belongs to no interaction, or if another user has signed in
    // meanwhile.
    const interaction = await provider.interactionDetails(request, response).catch((error: unknown) => {
      if ((error as { error?: string }).error === 'invalid_request') return null;
      throw error;
    });
    if (interaction?.uid !== uid)
      throw new NotFound('This sign-in has ended, or was started in another browser.');
    return { provider, interaction };
  }

  private async signIn(
    provider: Provider,
    interaction: Interaction,
    status: number,
    email: string,
    fault: string | null,
  ): Promise<Turn> {
    const client = await clientOf(provider, interaction);
    const page = signInPage({ client, email, fault });
    return { status, page, policy: policyTo(redirectUriOf(interaction)) };
  }

  private async consent(
    { request, response }: Visit,
    provider: Provider,
    interaction: Interaction,
  ): Promise<Turn> {
    const scopes = requested(interaction).filter((scope) => wordsFor(scope) !== null);
    if (scopes.length === 0) {
      const result = {
        error: 'invalid_scope',
        error_description: 'a user can grant none of these scopes',
      };
      return { next: await provider.interactionResult(request, response, result) };
    }
    const id = userIdIn(interaction.session?.accountId ?? '');
    const user = id === null ? null : await this.users.find(id);
    if (!user) throw new NotFound('This sign-in has ended.');
    const uri = redirectUriOf(interaction);
    const { host, protocol } = new URL(uri);
    const page = consentPage({
      client: await clientOf(provider, interaction),
      place: host === '' ? protocol : host,
      user: user.email,
      scopes,
    });
    return { status: 200, page, policy: policyTo(uri) };
  }

  /**
   * Saves the grant of the user. A scope that no user can grant is saved as refused, so that it is never asked for
   * again.
   */
  private async agreed(provider: Provider, interaction: Interaction): Promise<InteractionResults> {
    const { grantId, session, params } = interaction;
    const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const grant =
      known ??
      new provider.Grant({
        accountId: session?.accountId ?? '',
        clientId: String(params['client_id']),
      });
    const asked = requested(interaction);
    const agreed = asked.filter((scope) => wordsFor(scope) !== null);
    const refused = asked.filter((scope) => wordsFor(scope) === null);
    grant.addOIDCScope(agreed.join(' '));
    if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '));
    for (const resource of [params['resource']].flat()) {
      if (typeof resource !== 'string') continue;
      grant.addResourceScope(resource, lendable(asked).join(' '));
      if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '));
    }
    return { consent: { grantId: await grant.save() } };
  }
}

/** The adapter throws this error if the user, the sign-in or the grant of an artifact no longer exists. */
function hasEnded(error: unknown): boolean {
  return (error as { error?: string }).error === 'invalid_grant';
}

function requested({ params }: Interaction): string[] {
  const { scope } = params;
  return typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [];
}

function redirectUriOf({ params }: Interaction): string {
  return String(params['redirect_uri']);
}

async function clientOf(provider: Provider, { params }: Interaction): Promise<string> {
  const client = await provider.Client.find(String(params['client_id']));
  if (!client) throw new NotFound('The program that asks for access is no longer known.');
  return client.clientName ?? client.clientId;
}
