/** Items that need attention, as the server judges them: the panel lists them, the navigation counts them. */
import { useEffect } from 'preact/hooks';
import type { Answer } from './answers.ts';
import { Observed, useObserved } from './observed.ts';
import { type Resource, useResource } from './use-resource.ts';

export type CompanyAttention = Answer<'listAttention'>[number];
type Item = CompanyAttention['items'][number];

interface AttentionRequest {
  /** Empty: all companies of the user. */
  readonly company: string;
  readonly isEnabled: boolean;
}

/** The number of items that the latest answer has, and the company that it is about. */
const latestCount = new Observed<{ readonly company: string; readonly count: number }>({
  company: '',
  count: 0,
});

export function useAttention({
  company,
  isEnabled,
}: AttentionRequest): Resource<readonly CompanyAttention[]> {
  const attention = useResource<readonly CompanyAttention[]>(
    isEnabled ? '/appliance/api/attention' : undefined,
    company === '' ? {} : { query: { cpfCnpjRaiz: company } },
  );
  const { value } = attention;
  useEffect(() => {
    if (value !== undefined) latestCount.set({ company, count: sharedItems(value).length });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the company of an answer, not of the next request
  }, [value]);
  return attention;
}

/**
 * Returns the latest number of items of that company. `isEnabled` is false on the panel, which has already
 * requested it.
 */
export function useAttentionCount(request: AttentionRequest): number {
  useAttention(request);
  const { company, count } = useObserved(latestCount);
  return company === request.company ? count : 0;
}

export interface SharedItem {
  readonly item: Item;
  readonly concerned: readonly CompanyAttention[];
}

/** Returns each item once. A failing subscription or a missing table is an item of several companies. */
export function sharedItems(companies: readonly CompanyAttention[]): readonly SharedItem[] {
  const shared = new Map<string, SharedItem>();
  for (const company of companies)
    for (const item of company.items) {
      const key = `${item.href} ${item.message}`;
      const concerned = [...(shared.get(key)?.concerned ?? []), company];
      shared.set(key, { item, concerned });
    }
  return [...shared.values()];
}
