/** An NCM of the nomenclature, found by its code or by words of what it is; any digits are taken. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ncmWords } from '../../catalogue/members/ncm-words.ts';
import type { NcmWords } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { ncmDigits, ncmText } from '../words.ts';
import { Combobox } from './combobox.tsx';
import type { Bound, Labelled } from './field.tsx';

/** Between two keys of somebody who types. */
const PAUSE_MS = 150;
const SHOWN = 50;

export function NcmCombobox({
  takesBeginnings = false,
  ...bound
}: Labelled &
  Bound<string> & {
    /** Digits stand for all NCMs that begin with them: none is offered in their place. */
    readonly takesBeginnings?: boolean;
  }): JSX.Element {
  const { asked, isMeant, isAnswered, onSearch, isCode } = useNcmSearch();
  const isAsked = asked !== undefined && asked !== '' && !(takesBeginnings && isCode);
  const found = useResource<readonly NcmWords[]>(isAsked ? '/appliance/api/ncm' : undefined, {
    query: { text: asked, limit: SHOWN },
  });
  const isReady = isAnswered(found.loading);
  const items = isAsked && (isReady || isCode) ? (found.value ?? []).filter(({ ncm }) => isMeant(ncm)) : [];
  return (
    <Combobox
      {...bound}
      free
      pending={isAsked && !isReady}
      placeholder={takesBeginnings ? 'Código, o começo dele, ou palavras' : 'Código ou palavras'}
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

/** What is looked for while somebody types. */
export function useNcmSearch() {
  const [search, setSearch] = useState<string>();
  const asked = useLater(search);
  const isCode = /^\d+$/.test(ncmDigits(search ?? ''));
  return {
    asked,
    isCode,
    onSearch: setSearch,
    // What was found for other words is no answer to these: Enter would choose it. The beginning of a code tells by itself.
    isAnswered: (loading: boolean): boolean => asked === search && !loading,
    isMeant: (ncm: string): boolean => !isCode || ncm.startsWith(ncmDigits(search ?? '')),
  };
}

function useLater(text: string | undefined): string | undefined {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
