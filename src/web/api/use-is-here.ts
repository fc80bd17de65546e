/** Whether what asks is still drawn: an answer that comes later takes nobody to another page. */
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';

export function useIsHere(): () => boolean {
  const hereRef = useRef(true);
  useLayoutEffect(() => {
    hereRef.current = true;
    return () => {
      hereRef.current = false;
    };
  }, []);
  return useCallback(() => hereRef.current, []);
}
