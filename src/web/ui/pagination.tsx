/** The way through a list that the server hands out page by page, with a cursor. */
import type { JSX } from 'preact';
import { Button } from './button.tsx';

export interface PaginationProps {
  /** What is shown, in words: `1–100 de 2.345`. */
  readonly shown: string;
  /** Absent: there is no such page. */
  readonly onBefore?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
}

export const Pagination = ({ shown, onBefore, onNext }: PaginationProps): JSX.Element => (
  <div class="pagination" role="group" aria-label="Páginas">
    <span role="status">{shown}</span>
    <Button small disabled={onBefore === undefined} {...(onBefore && { onPress: onBefore })}>
      Anterior
    </Button>
    <Button small disabled={onNext === undefined} {...(onNext && { onPress: onNext })}>
      Próxima
    </Button>
  </div>
);
