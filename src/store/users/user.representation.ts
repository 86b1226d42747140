import { Injectable } from '@nestjs/common';
import { Represents, type Representation } from '../../engine/contract/representation.js';
import type { Represented } from '../../generated/contract.js';
import { isoOf } from '../../engine/values/moment.js';
import type { User } from './user.entity.js';

@Injectable()
@Represents('v1', 'User')
export class UserV1 implements Representation<'v1', 'User'> {
  present({ id, name, email }: User): Represented['v1']['User'] {
    return { id, name, email };
  }
}

@Injectable()
@Represents('v2', 'User')
export class UserV2 implements Representation<'v2', 'User'> {
  present({ id, name, email, createdAt, updatedAt }: User): Represented['v2']['User'] {
    return { id, name, email, created_at: isoOf(createdAt), updated_at: isoOf(updatedAt) };
  }
}
