/*
 * Everything that is built in, one line a definition. Nothing below `src/app` names what stands here.
 */
export {};
