/** The way to another page, from one that is still drawn: an answer that comes after it was left takes nobody along. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

/** Answers whether it went. */
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
