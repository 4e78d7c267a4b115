import type { Connections } from "../core/settings.ts";

/** Limits the calls to one server that run at once. */
export interface Places {
  /**
   * Runs `work` once a place is free, first come first served; a call that is aborted while it waits leaves the queue.
   * `overloaded` recognises errors that mean that the server is overloaded.
   */
  run<T>(
    work: () => Promise<T>,
    overloaded: (error: unknown) => boolean,
    signal: AbortSignal,
  ): Promise<T>;
  /** Calls that are allowed at once at present. */
  width(): number;
}

const servers = new Map<string, Places & { setBounds(bounds: Connections): void }>();

/** The one limit of a process for a server, named by provider and base URL. The latest bounds apply. */
export function placesFor(server: string, bounds: number | Connections): Places {
  const known = servers.get(server) ?? createPlaces(bounds);
  servers.set(server, known);
  known.setBounds(boundsOf(bounds));
  return known;
}

/** A single number is the start and the maximum of the width; the minimum is then 1. */
function boundsOf(given: number | Connections): Connections {
  return typeof given === "number" ? { min: 1, start: given, max: given } : given;
}

/**
 * Additive increase, multiplicative decrease (as TCP does it): an overload halves the width, once for all the calls
 * that were in flight together; each round of `width` successful replies adds one place. It begins at `start` and stays
 * between `min` and `max`.
 */
export function createPlaces(
  first: number | Connections,
): Places & { setBounds(bounds: Connections): void } {
  let bounds = boundsOf(first);
  let width = bounds.start;
  let shrinks = 0;
  let running = 0;
  /** Starts calls that wait, in the order in which they came. */
  const waiting = new Set<() => void>();

  function setWidth(next: number) {
    width = Math.min(bounds.max, Math.max(bounds.min, next));
    startWaiting();
  }

  function startWaiting() {
    for (const start of waiting) {
      if (running >= Math.floor(width)) return;
      waiting.delete(start);
      start();
    }
  }

  /** Takes a place once one is free. */
  function place(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const start = () => {
        signal.removeEventListener("abort", leave);
        running++;
        resolve();
      };
      const leave = () => {
        waiting.delete(start);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.add(start);
      startWaiting();
    });
  }

  return {
    async run(work, overloaded, signal) {
      await place(signal);
      const began = shrinks;
      try {
        const value = await work();
        setWidth(width + 1 / width);
        return value;
      } catch (error) {
        if (overloaded(error) && began === shrinks) {
          shrinks++;
          setWidth(width / 2);
        }
        throw error;
      } finally {
        running--;
        startWaiting();
      }
    },
    width: () => Math.floor(width),
    setBounds(next) {
      if (next.min === bounds.min && next.start === bounds.start && next.max === bounds.max) return;
      const full = width === bounds.max;
      bounds = next;
      setWidth(full ? next.start : width);
    },
  };
}
