/** NCM of the nomenclature, found by code or by words of its description. Any digits are accepted. */
import { useEffect, useState } from 'preact/hooks';
import { ncmWords } from '../../catalogue/members/ncm-words.ts';
import type { NcmWords } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { ncmDigits, ncmText } from '../words.ts';
import { Combobox } from './combobox.tsx';
import type { Bound, Labelled } from './field.tsx';

/** Debounce delay after the last key, in milliseconds. */
const DEBOUNCE_MS = 150;
const MATCHES_MAX = 50;

export function NcmCombobox(
  props: Labelled &
    Bound<string> & {
      /** True if digits stand for all NCMs with that prefix: the list then offers no single NCM. */
      readonly acceptsPrefixes?: boolean;
    },
) {
  const { acceptsPrefixes = false, ...bound } = props;
  const { searchText, matchesSearch, isAnswered, onSearch, isCode } = useNcmSearch();
  const isRequested = searchText !== undefined && searchText !== '' && !(acceptsPrefixes && isCode);
  const results = useResource<readonly NcmWords[]>(isRequested ? '/appliance/api/ncm' : undefined, {
    query: { text: searchText, limit: MATCHES_MAX },
  });
  const isReady = isAnswered(results.isLoading);
  const items =
    isRequested && (isReady || isCode) ? (results.value ?? []).filter(({ ncm }) => matchesSearch(ncm)) : [];
  return (
    <Combobox
      {...bound}
      free
      pending={isRequested && !isReady}
      placeholder={acceptsPrefixes ? 'Código, o começo dele, ou palavras' : 'Código ou palavras'}
      options={items.map((words) => ({
        value: words.ncm,
        label: words.ncm,
        code: ncmText(words.ncm),
        hint: ncmWords(words),
      }))}
      onSearch={onSearch}
    />
  );
}

/** State of an NCM search while the user types. */
export function useNcmSearch() {
  const [search, setSearch] = useState<string>();
  const searchText = useDebounced(search);
  const isCode = /^\d+$/.test(ncmDigits(search ?? ''));
  return {
    searchText,
    isCode,
    onSearch: setSearch,
    // Results of an earlier search are not offered: Enter would select one. A code prefix is checked locally.
    isAnswered: (isLoading: boolean): boolean => searchText === search && !isLoading,
    matchesSearch: (ncm: string): boolean => !isCode || ncm.startsWith(ncmDigits(search ?? '')),
  };
}

function useDebounced(text: string | undefined): string | undefined {
  const [debounced, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
