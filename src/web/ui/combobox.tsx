/** Combobox: selects one option of a long list by typing (the ARIA pattern with a list box). */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { countText, finder, folded } from '../words.ts';
import { type Bound, Field, type Labelled } from './field.tsx';
import type { Option } from './select.tsx';

/** Maximum number of rendered options. Typing finds the others. */
const OPTIONS_MAX = 100;

export interface ComboboxProps extends Labelled, Bound<string> {
  /** Shown and searched as `value · label`, or as `label` if both are equal. */
  readonly options: readonly Option[];
  readonly placeholder?: string;
  /** Accepts any text. The list only suggests. */
  readonly free?: boolean;
  /** Called with the typed text, for lists that the server searches. `options` are then shown unfiltered. */
  readonly onSearch?: (text: string) => void;
  /** True while more options may arrive: a single match is then not selected automatically. */
  readonly pending?: boolean;
  /** A typed code is selected only by Enter or blur. Used to select several options one after the other. */
  readonly choosesOnEnter?: boolean;
}

/** The value is an option or ''. Typed text selects an option as soon as it equals its code or text. */
export function Combobox(props: ComboboxProps) {
  const { value, onChange, options, onSearch } = props;
  const { free = false, choosesOnEnter = false, pending = false } = props;
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typedText, setTypedText] = useState<string>();
  const [active, setActive] = useState(0);
  const isOpen = typedText !== undefined;
  const matches = useMemo(() => {
    if (typedText === undefined || onSearch !== undefined) return options;
    const has = finder(typedText);
    return options.filter((option) => has(`${option.value} ${textOf(option)} ${option.hint ?? ''}`));
  }, [options, typedText, onSearch]);
  const visibleMatches = matches.slice(0, OPTIONS_MAX);
  const selectedOption = options.find((option) => option.value === value);
  /**
   * Hides the list for a complete entry, or for free text without matches, so that it does not cover the
   * page.
   */
  const isListOpen =
    isOpen &&
    optionEqualTo(typedText, options)?.value !== value &&
    !(free && typedText !== '' && matches.length === 0);

  useEffect(() => {
    if (isOpen) document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active, list]);

  // After the list is closed, typing replaces the entry.
  useEffect(() => {
    if (!isOpen && !free && document.activeElement === input.current) input.current?.select();
  }, [isOpen, free]);

  const open = (text = ''): void => {
    setTypedText(text);
    setActive(Math.max(0, text === '' ? options.findIndex((option) => option.value === value) : 0));
    onSearch?.(text);
  };
  const close = (): void => setTypedText(undefined);
  const choose = (option: Option | undefined): void => {
    if (option !== undefined) onChange(option.value);
    close();
  };
  const move = (by: number): void => {
    if (isOpen) setActive((before) => Math.min(Math.max(before + by, 0), visibleMatches.length - 1));
    else open();
  };
  /** Returns the option that equals the typed code. It takes precedence over options that only contain it. */
  const findExactMatch = (): Option | undefined =>
    choosesOnEnter && active === 0 && typedText !== undefined ? optionEqualTo(typedText, options) : undefined;
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...(isOpen && { Escape: close }),
    // Free text without matches: Enter submits the form, as in any field. Before its options are loaded, it
    // chooses nothing and sends nothing: what was typed stays, and so does the list.
    ...(isOpen &&
      !(free && !pending && typedText !== '' && matches.length === 0) && {
        Enter: () =>
          free && pending && matches.length === 0
            ? undefined
            : choose(findExactMatch() ?? visibleMatches[active]),
      }),
  };

  return (
    <Field {...props}>
      {(control) => (
        <div class="combobox">
          <input
            {...control}
            ref={input}
            role="combobox"
            name={props.name}
            aria-expanded={isListOpen ? 'true' : 'false'}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={isListOpen && visibleMatches.length > 0 ? `${list}-${active}` : undefined}
            autocomplete="off"
            spellcheck={false}
            disabled={props.disabled}
            placeholder={props.placeholder ?? 'Procurar…'}
            value={typedText ?? (selectedOption === undefined ? value : textOf(selectedOption))}
            onInput={({ currentTarget }) => {
              const text = currentTarget.value;
              open(text);
              if (choosesOnEnter) return;
              const value = text === '' || free ? text : optionEqualTo(text, options)?.value;
              if (value !== undefined) onChange(value);
            }}
            onClick={() => (isOpen ? undefined : open())}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onBlur={() => {
              // A single match is selected.
              const match =
                findExactMatch() ?? (matches.length === 1 && !free && !pending ? matches[0] : undefined);
              choose(isOpen && typedText !== '' ? match : undefined);
            }}
            onKeyDown={(event) => {
              const act = keys[event.key];
              if (act === undefined) return;
              event.preventDefault();
              event.stopPropagation();
              act();
            }}
          />
          <ul id={list} role="listbox" aria-label="Opções" hidden={!isListOpen}>
            {isOpen &&
              visibleMatches.map((option, index) => (
                <li
                  key={option.value}
                  id={`${list}-${index}`}
                  role="option"
                  aria-selected={option.value === value ? 'true' : 'false'}
                  class={index === active ? 'active' : ''}
                  // Runs before the field loses the focus.
                  onMouseDown={(event) => {
                    event.preventDefault();
                    choose(option);
                  }}
                >
                  {option.label !== option.value && <code>{codeOf(option)}</code>}{' '}
                  <bdi>{option.label === option.value ? codeOf(option) : option.label}</bdi>
                  {option.hint !== undefined && <span class="choice-hint"> {option.hint}</span>}
                </li>
              ))}
          </ul>
          <span class="hidden" role="status">
            {isOpen &&
              (matches.length > 0
                ? `${countText(matches.length)} encontrados.`
                : pending
                  ? 'Procurando…'
                  : NONE)}
          </span>
          {isListOpen && matches.length === 0 && !pending && (
            <p class="combobox-empty" aria-hidden="true">
              {NONE}
            </p>
          )}
        </div>
      )}
    </Field>
  );
}

const NONE = 'Nada encontrado.';

/** Returns the option that equals the text, ignoring case and accents. */
function optionEqualTo(text: string, options: readonly Option[]): Option | undefined {
  const foldedText = folded(text.trim());
  return options.find((option) =>
    [option.value, codeOf(option), option.label, textOf(option)].some((form) => folded(form) === foldedText),
  );
}

const codeOf = ({ value, code = value }: Option): string => code;

const textOf = (option: Option): string =>
  option.label === option.value ? option.value : `${codeOf(option)} · ${option.label}`;
