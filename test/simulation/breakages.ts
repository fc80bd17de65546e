import type { Breakage } from './house.ts';
export interface NamedBreakage {
  readonly rule: string;
  readonly breakage: Breakage;
}
export const BREAKAGES: Readonly<Record<string, NamedBreakage>> = {};
