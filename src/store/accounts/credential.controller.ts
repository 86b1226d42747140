import { Controller } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';

@Controller()
export class CredentialController {
  @Operation('getCredential')
  getCredential({ principal }: Context) {
    const { kind, name, userId, scopes, delegated, expiresAt } = principal;
    return {
      kind: kind === 'user' ? ('user' as const) : ('client' as const),
      name,
      user_id: userId,
      scopes: [...scopes].toSorted(),
      own_scopes: delegated === null ? null : [...delegated].toSorted(),
      expires_at: expiresAt?.toISOString() ?? null,
    };
  }
}
