/** Tabs of one page (the ARIA pattern: arrow keys select). */
import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';

export interface Tab {
  readonly key: string;
  readonly title: string;
  readonly content: () => ComponentChildren;
}

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Key of the selected tab; `useFilters(['aba'])` keeps it in the address. */
  readonly value: string;
  readonly onChange: (key: string) => void;
}

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const id = useId();
  const position = Math.max(
    0,
    tabs.findIndex(({ key }) => key === value),
  );
  const activeKey = tabs[position]?.key;
  // On a phone the tab list is wider than the screen.
  useEffect(() => {
    document.getElementById(`${id}-${activeKey}`)?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [id, activeKey]);
  const go = (index: number): void => {
    const next = tabs[(index + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChange(next.key);
    document.getElementById(`${id}-${next.key}`)?.focus();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => go(position + 1),
    ArrowLeft: () => go(position - 1),
    Home: () => go(0),
    End: () => go(tabs.length - 1),
  };
  const current = tabs[position];
  return (
    <div class="tabs">
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (act === undefined) return;
          event.preventDefault();
          act();
        }}
      >
        {tabs.map(({ key, title }, index) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            aria-selected={index === position ? 'true' : 'false'}
            aria-controls={`${id}-panel`}
            tabIndex={index === position ? 0 : -1}
            onClick={() => onChange(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" tabIndex={0}>
        {current?.content()}
      </div>
    </div>
  );
}
