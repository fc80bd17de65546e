/** Visible columns of a table, chosen by each user and stored in the browser. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { isString, storedList, storeList } from '../../api/user-storage.ts';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import type { Column } from '../../ui/table.tsx';

export interface ListColumn<Row> extends Column<Row> {
  /**
   * `always`: cannot be hidden. `at first`: visible until the user chooses. If no column has it, the columns
   * cannot be chosen.
   */
  readonly visibility?: 'always' | 'at first';
  /** Targets of the same content in the download; empty if it has none. Default: the key. */
  readonly targets?: readonly string[];
}

type Choosable = Pick<ListColumn<never>, 'key' | 'title' | 'visibility'>;

export interface ChosenColumns<C> {
  readonly visibleColumns: readonly C[];
  readonly chooser: JSX.Element | undefined;
}

/**
 * `onOpen`: called when the chooser opens, to fetch further columns. `key`: storage key of the table. `all`
 * must be the same in every render.
 */
export function useColumns<C extends Choosable>(
  key: string,
  all: readonly C[],
  onOpen?: () => void,
): ChosenColumns<C> {
  const [chosenKeys, setChosenKeys] = useState<readonly string[]>(() => storedKeys(key) ?? initialKeys(all));
  const [isOpen, setOpen] = useState(false);
  const choose = (change: (before: readonly string[]) => readonly string[]): void =>
    setChosenKeys((before) => {
      const columns = change(before);
      storeList(PREFIX + key, columns);
      return columns;
    });
  const isChoosable = all.some(({ visibility }) => visibility !== undefined);
  // Stable while nothing changes, so that rows are not rendered again.
  const visibleColumns = useMemo(
    () =>
      all.filter(
        ({ key: columnKey, visibility }) =>
          !isChoosable || visibility === 'always' || chosenKeys.includes(columnKey),
      ),
    [all, chosenKeys, isChoosable],
  );
  return {
    visibleColumns,
    chooser: isChoosable ? (
      <>
        <Button
          small
          onPress={() => {
            onOpen?.();
            setOpen(true);
          }}
        >
          Colunas
        </Button>
        {isOpen && (
          <Dialog title="Colunas da tabela" onClose={() => setOpen(false)}>
            <div class="stack">
              {all
                .filter(({ visibility }) => visibility !== 'always')
                .map((column) => (
                  <Checkbox
                    key={column.key}
                    label={column.title}
                    value={chosenKeys.includes(column.key)}
                    onChange={(on) =>
                      choose((before) => [
                        ...before.filter((otherKey) => otherKey !== column.key),
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
              <Button onPress={() => choose(() => initialKeys(all))}>Voltar às colunas iniciais</Button>
            </Actions>
          </Dialog>
        )}
      </>
    ) : undefined,
  };
}

const PREFIX = 'columns.';

const initialKeys = (all: readonly Choosable[]): readonly string[] =>
  all.filter(({ visibility }) => visibility === 'at first').map(({ key }) => key);

const storedKeys = (key: string): readonly string[] | undefined => storedList(PREFIX + key, isString);

/** Returns true if the user chose a column of the table whose key has that beginning. */
export const isColumnChosen = (key: string, beginning: string): boolean =>
  storedKeys(key)?.some((columnKey) => columnKey.startsWith(beginning)) === true;
