/** Navigation from a page that is still mounted: a late response does not move the user. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

/** Returns a function that returns true if it navigated. */
export function useGo(): (to: string, options?: { readonly replace: boolean }) => boolean {
  const [, navigate] = useLocation();
  const hereRef = useRef(true);
  useLayoutEffect(() => {
    hereRef.current = true;
    return () => {
      hereRef.current = false;
    };
  }, []);
  return (to, options) => {
    if (hereRef.current) navigate(to, options);
    return hereRef.current;
  };
}
