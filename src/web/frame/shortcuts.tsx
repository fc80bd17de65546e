/**
 * Keyboard shortcuts: `/` search, `n` new, `g p` products, `?` all of them. They are inactive while the user
 * types.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { addressFor, useCompany } from '../api/use-company.ts';
import type { PageEntry } from '../pages.ts';
import { Actions, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Table } from '../ui/table.tsx';
import { focusTable } from '../ui/focus-table.ts';
import { openCompanies } from './company-switcher.tsx';

const GO = 'g';

/** `offered`: the pages that the user may open. */
export function Shortcuts({ offered }: { readonly offered: readonly PageEntry[] }) {
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const company = useCompany();
  const beforeRef = useRef('');
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, altKey, ctrlKey, metaKey, target } = event;
      const before = beforeRef.current;
      beforeRef.current = key;
      if (altKey || ctrlKey || metaKey || isTyping(target) || document.querySelector('dialog[open]') !== null)
        return;
      const page = before === GO ? offered.find(({ shortcut }) => shortcut === key) : undefined;
      if (page !== undefined) navigate(addressFor(page.address, company));
      else if (key === '?') setOpen(true);
      else if (key === '/') focusSearch();
      else if (key === 'n') pressNew();
      else if (key === 'c') openCompanies();
      else if ((key === 'j' || key === 'k') && focusTable()) return event.preventDefault();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [offered, company, navigate]);
  if (!isOpen) return null;
  const rows = [
    { keys: 'Ctrl K', does: 'Buscar em tudo' },
    { keys: '/', does: 'Procurar nesta página' },
    { keys: 'c', does: 'Escolher a empresa' },
    { keys: 'n', does: 'Novo registro, nas páginas que o oferecem' },
    { keys: 'j k ↑ ↓ Enter', does: 'Percorrer uma tabela e abrir a linha' },
    ...offered.flatMap(({ shortcut, title, label = title }) =>
      shortcut === undefined ? [] : [{ keys: `${GO} ${shortcut}`, does: label }],
    ),
    { keys: '?', does: 'Esta lista' },
  ];
  return (
    <Dialog title="Teclas de atalho" onClose={() => setOpen(false)}>
      <Table
        caption="Teclas de atalho"
        rows={rows}
        rowKey={({ keys }) => keys}
        columns={[
          { key: 'keys', title: 'Teclas', code: true, cell: ({ keys }) => keys },
          { key: 'does', title: 'O que fazem', cell: ({ does }) => does },
        ]}
      />
      <Actions>
        <Button onPress={() => setOpen(false)}>Fechar</Button>
      </Actions>
    </Dialog>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [role=grid]') !== null;

function focusSearch(): void {
  const [field] = document.querySelectorAll<HTMLInputElement>(
    'main [role=search] input, main input[type=search]',
  );
  field?.focus();
  field?.select();
}

function pressNew(): void {
  const actions = [...document.querySelectorAll<HTMLElement>('.page-head .actions > *')];
  actions.find(({ textContent }) => /^Nov[oa] /.test(textContent?.trim() ?? ''))?.click();
}
