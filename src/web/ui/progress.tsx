import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Progress bar. Without `total` it is indeterminate. */
export function Progress(props: {
  readonly label: ComponentChildren;
  readonly done: number;
  readonly total: number | null;
  /** Count, rate, remaining time. */
  readonly aside?: ComponentChildren;
}) {
  const { label, done, total, aside } = props;
  const id = useId();
  return (
    <div class="progress">
      <div>
        <label for={id}>{label}</label>
        <span class="muted">{aside}</span>
      </div>
      <progress id={id} {...(total !== null && total > 0 && { max: total, value: done })} />
    </div>
  );
}

/** Placeholder while content loads, so that the layout does not jump. */
export const Skeleton = ({ lines = 4 }: { readonly lines?: number }) => (
  <div class="skeletons" aria-busy="true">
    <span class="hidden" role="status">
      Carregando…
    </span>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="skeleton" />
    ))}
  </div>
);
