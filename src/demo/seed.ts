/** What a development instance has at its first start, and again after a reset. */
import type { Core } from '../core.ts';
import { addPeople } from './people.ts';

export interface SeedOptions {
  /** Users and companies only. */
  readonly empty: boolean;
}

export async function seedDevelopment(core: Core, { empty }: SeedOptions): Promise<void> {
  await addPeople(core);
  if (empty) return;
}
