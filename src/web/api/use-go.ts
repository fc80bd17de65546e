/** Navigation from a page that is still mounted: a late response does not move the user. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

/** Returns a function that returns true if it navigated. */
export function useGo(): (to: string, options?: { readonly replace: boolean }) => boolean {
  const [, navigate] = useLocation();
  const isMountedRef = useRef(true);
  useLayoutEffect(() => {
    isMountedRef.current = true;
    return () => {
      isMountedRef.current = false;
    };
  }, []);
  return (to, options) => {
    if (isMountedRef.current) navigate(to, options);
    return isMountedRef.current;
  };
}
