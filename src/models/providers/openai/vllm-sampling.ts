import type { VideoSampling } from "../../../core/settings.ts";

/** Removes the default cap of 32 frames of vLLM's video reader. */
const ALL_FRAMES = -1;

/**
 * The fields by which vLLM samples a video. Its reader takes `media_io_kwargs.video` (per request since 0.18; older
 * servers ignore it and sample as configured when they started); the model's processor takes `mm_processor_kwargs`:
 * Qwen's uses `fps` for its timestamps and `max_pixels` for the size of a frame.
 */
export function vllmSampling({ fps, frames, max_pixels }: VideoSampling): Record<string, unknown> {
  const reader = {
    ...(fps === undefined ? {} : { fps }),
    ...(fps === undefined && frames === undefined ? {} : { num_frames: frames ?? ALL_FRAMES }),
  };
  const processor = {
    ...(fps === undefined ? {} : { fps }),
    ...(max_pixels === undefined ? {} : { max_pixels }),
  };
  const isSet = (fields: object) => Object.keys(fields).length > 0;
  return {
    ...(isSet(reader) ? { media_io_kwargs: { video: reader } } : {}),
    ...(isSet(processor) ? { mm_processor_kwargs: processor } : {}),
  };
}
