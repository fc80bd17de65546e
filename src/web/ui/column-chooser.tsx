/** Which columns of a table are seen: chosen by each person, remembered in the browser. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Actions, Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Checkbox } from './field.tsx';
import type { Column } from './table.tsx';

export interface ChoosableColumn<Row> extends Column<Row> {
  /** `always`: cannot be taken away; `at first`: seen until somebody chooses. */
  readonly seen?: 'always' | 'at first';
}

type Choosable = Pick<ChoosableColumn<never>, 'key' | 'title' | 'seen'>;

export interface ChosenColumns<C> {
  readonly shown: readonly C[];
  readonly chooser: JSX.Element;
}

/** `key`: a name for the table, under which the choice is remembered; `all` is the same in every render. */
export function useColumns<C extends Choosable>(key: string, all: readonly C[]): ChosenColumns<C> {
  const [chosen, setChosen] = useState<readonly string[]>(() => remembered(key) ?? atFirst(all));
  const [open, setOpen] = useState(false);
  const choose = (of: (before: readonly string[]) => readonly string[]): void =>
    setChosen((before) => {
      const columns = of(before);
      localStorage.setItem(PREFIX + key, columns.join(' '));
      return columns;
    });
  // The same as before while nothing is chosen: rows that are drawn are not drawn again.
  const shown = useMemo(
    () => all.filter((column) => column.seen === 'always' || chosen.includes(column.key)),
    [all, chosen],
  );
  return {
    shown,
    chooser: (
      <>
        <Button small onPress={() => setOpen(true)}>
          Colunas
        </Button>
        {open && (
          <Dialog title="Colunas da tabela" onClose={() => setOpen(false)}>
            <div class="stack">
              {all
                .filter(({ seen }) => seen !== 'always')
                .map((column) => (
                  <Checkbox
                    key={column.key}
                    label={column.title}
                    value={chosen.includes(column.key)}
                    onChange={(on) =>
                      choose((before) => [
                        ...before.filter((one) => one !== column.key),
                        ...(on ? [column.key] : []),
                      ])
                    }
                  />
                ))}
            </div>
            <Actions>
              <Button kind="primary" onPress={() => setOpen(false)}>
                Fechar
              </Button>
              <Button onPress={() => choose(() => atFirst(all))}>Voltar às de sempre</Button>
            </Actions>
          </Dialog>
        )}
      </>
    ),
  };
}

const PREFIX = 'catp.columns.';

const atFirst = (all: readonly Choosable[]): readonly string[] =>
  all.filter(({ seen }) => seen === 'at first').map(({ key }) => key);

const remembered = (key: string): readonly string[] | undefined =>
  localStorage.getItem(PREFIX + key)?.split(' ');
