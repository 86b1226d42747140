import { Injectable } from '@nestjs/common';
import { Represents, type Representation } from '../../engine/contract/representation.js';
import type { Represented } from '../../generated/contract.js';
import { isoOf } from '../../engine/values/moment.js';
import type { Identity } from './identity.entity.js';

@Injectable()
@Represents(['v1', 'v2'], 'Identity')
export class IdentityV1 implements Representation<'v1', 'Identity'> {
  present({ id, issuer, subject, userId, createdAt }: Identity): Represented['v1']['Identity'] {
    return { id, issuer, subject, user_id: userId, created_at: isoOf(createdAt) };
  }
}
