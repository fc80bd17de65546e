/** Of what takes the place of something else on the page: if that had the focus, it is not left nowhere. */
import { useLayoutEffect } from 'preact/hooks';

export function useKeptFocus(): void {
  useLayoutEffect(() => {
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  }, []);
}
