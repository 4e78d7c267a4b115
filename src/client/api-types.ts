/* Generated from the description of the API by `npm run api:client`. Do not edit.
 * 262cc05d8d3cdee254e19a35fcb327b994a64257be1dd8ed6844823dcce3d923
 */


export interface paths {
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who did what and when, newest first
         * @description List who did what and when, newest first.
         */
        get: operations["audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream which videos and questions change from now on, by anyone
         * @description Server-sent events. Each message is `{ videos: [id], questions: [id], more }`; `more` is true if there were too many to list. Nothing is repeated: after a reconnection, read again what you show. The stream ends after ten minutes.
         */
        get: operations["changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream questions with answers, evidence and reviews; or reviewed answers as rows of a data file; or corrected evidence as sidecars
         * @description Stream questions with answers, evidence and reviews; or reviewed answers as rows of a data file; or corrected evidence as sidecars.
         */
        get: operations["exportAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/frames/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a frame that evidence of the caller's videos refers to
         * @description Get a frame that evidence of the caller's videos refers to.
         */
        get: operations["frame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/human-study/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question of the human study
         * @description Answer a question of the human study.
         */
        post: operations["studyAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/human-study/items/{item}/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the video of a question of the human study, or a byte range
         * @description Get the video of a question of the human study, or a byte range.
         */
        get: operations["studyMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/human-study/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this rater's next question of the human study; its time begins
         * @description Get this rater's next question of the human study; its time begins.
         */
        get: operations["studyNext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of all callers, without their secrets
         * @description List the keys of all callers, without their secrets.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key; its secret is in the response and cannot be shown again
         * @description For services that were started with `--keys`. An `Idempotency-Key` is ignored: no response with a secret is stored.
         */
        post: operations["addKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a key at once; videos and answers of its owner stay
         * @description Remove a key at once; videos and answers of its owner stay.
         */
        delete: operations["removeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the questions about all videos of the caller
         * @description List the questions about all videos of the caller.
         */
        get: operations["listQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue the questions of a table, or none if a row is wrong
         * @description Queue the questions of a table, or none if a row is wrong.
         */
        post: operations["bulkAsk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a question with its state and answer
         * @description Get a question with its state and answer.
         */
        get: operations["question"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a queued or running question
         * @description Cancel a queued or running question.
         */
        post: operations["cancelQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the events of a question; resumes after `Last-Event-ID`; closes with `event: end`
         * @description Stream the events of a question; resumes after `Last-Event-ID`; closes with `event: end`.
         */
        get: operations["questionEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current evidence
         * @description Get the current evidence.
         */
        get: operations["evidence"];
        put?: never;
        /**
         * Add an item; creates a new evidence set
         * @description Add an item; creates a new evidence set.
         */
        post: operations["addEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/evidence/{evidence}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Reject an item; creates a new evidence set
         * @description Reject an item; creates a new evidence set.
         */
        delete: operations["rejectEvidence"];
        options?: never;
        head?: never;
        /**
         * Correct an item or restore a rejected one; creates a new evidence set
         * @description Correct an item or restore a rejected one; creates a new evidence set.
         */
        patch: operations["editEvidence"];
        trace?: never;
    };
    "/api/v1/questions/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a question as JSON, as an evidence page, or as a row of an evaluation set (reviewed answers only)
         * @description Export a question as JSON, as an evidence page, or as a row of an evaluation set (reviewed answers only).
         */
        get: operations["exportQuestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/ratings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all verdicts about an answer, with those that were taken back
         * @description List all verdicts about an answer, with those that were taken back.
         */
        get: operations["ratings"];
        put?: never;
        /**
         * Give a verdict about an answer; a further rater settles a conflict, and a second verdict of a rater replaces the first
         * @description Give a verdict about an answer; a further rater settles a conflict, and a second verdict of a rater replaces the first.
         */
        post: operations["rate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/ratings/{rating}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take back an own verdict; it stays in the list
         * @description Take back an own verdict; it stays in the list.
         */
        delete: operations["undoRating"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/reason-again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reason again over the current evidence without recognition; creates a new question with `from` set to this one
         * @description Reason again over the current evidence without recognition; creates a new question with `from` set to this one.
         */
        post: operations["reasonAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Approve or correct the answer
         * @description Approve or correct the answer.
         */
        put: operations["review"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get every model call of a question: what was sent, the reply, tokens, price and time
         * @description Get every model call of a question: what was sent, the reply, tokens, price and time.
         */
        get: operations["questionTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the evaluation reports in the folder of --reports, newest first, on one page
         * @description List the evaluation reports in the folder of --reports, newest first, on one page.
         */
        get: operations["listReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reviews/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the next answer that this rater has not reviewed, and how far the review is
         * @description Get the next answer that this rater has not reviewed, and how far the review is.
         */
        get: operations["nextReview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search names, tags, transcripts, text on screen and captions of the caller's videos; best match first, then newest video
         * @description Search names, tags, transcripts, text on screen and captions of the caller's videos; best match first, then newest video.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the models, strategies, settings and limits of the service
         * @description Get the models, strategies, settings and limits of the service.
         */
        get: operations["service"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a token for a session cookie, for clients that cannot send headers (images, players, event streams)
         * @description Exchange a token for a session cookie, for clients that cannot send headers (images, players, event streams).
         */
        post: operations["session"];
        /**
         * Sign out; ends the session of the cookie
         * @description Sign out; ends the session of the cookie.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags of the caller's videos
         * @description List the tags of the caller's videos.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a resumable upload
         * @description Start a resumable upload.
         */
        post: operations["startUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the offset of an upload
         * @description Get the offset of an upload.
         */
        get: operations["upload"];
        put?: never;
        post?: never;
        /**
         * Cancel an unfinished upload
         * @description Cancel an unfinished upload.
         */
        delete: operations["dropUpload"];
        options?: never;
        head?: never;
        /**
         * Send the next chunk; after the last one the file becomes a video, or the request fails with 415
         * @description Send the next chunk; after the last one the file becomes a video, or the request fails with 415.
         */
        patch: operations["continueUpload"];
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the key used, by day, model or strategy; with the role `operate`, of all keys
         * @description Get what the key used, by day, model or strategy; with the role `operate`, of all keys.
         */
        get: operations["usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's videos
         * @description List the caller's videos.
         */
        get: operations["listVideos"];
        put?: never;
        /**
         * Upload a video in one request
         * @description Upload a video in one request.
         */
        post: operations["postVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/bulk-delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove several videos and all data derived from them
         * @description Remove several videos and all data derived from them.
         */
        post: operations["bulkDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/from-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch a video from a host that --allow-url allows
         * @description Fetch a video from a host that --allow-url allows.
         */
        post: operations["fetchVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a video
         * @description Get a video.
         */
        get: operations["video"];
        put?: never;
        post?: never;
        /**
         * Remove a video and all data derived from it
         * @description Remove a video and all data derived from it.
         */
        delete: operations["deleteVideo"];
        options?: never;
        head?: never;
        /**
         * Rename a video, or replace its tags
         * @description Rename a video, or replace its tags.
         */
        patch: operations["editVideo"];
        trace?: never;
    };
    "/api/v1/videos/{id}/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate the calls, price and time of a question without asking it
         * @description Estimate the calls, price and time of a question without asking it.
         */
        post: operations["estimate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/{id}/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the video file or a byte range
         * @description Get the video file or a byte range.
         */
        get: operations["media"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/{id}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue a question
         * @description Queue a question.
         */
        post: operations["askQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/{id}/subtitles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the uploaded subtitle file of a video
         * @description Describe the uploaded subtitle file of a video.
         */
        get: operations["subtitles"];
        /**
         * Upload a subtitle file of a video (srt, vtt, ass or ssa), instead of the one before
         * @description Upload a subtitle file of a video (srt, vtt, ass or ssa), instead of the one before.
         */
        put: operations["putSubtitles"];
        post?: never;
        /**
         * Remove the uploaded subtitle file of a video
         * @description Remove the uploaded subtitle file of a video.
         */
        delete: operations["dropSubtitles"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/{id}/texts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is said, written and seen in a video, in order of time: its newest evidence with the corrections of people
         * @description List what is said, written and seen in a video, in order of time: its newest evidence with the corrections of people.
         */
        get: operations["videoTexts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/{id}/thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a thumbnail, 320 pixels wide; the time is rounded to half a second
         * @description Get a thumbnail, 320 pixels wide; the time is rounded to half a second.
         */
        get: operations["thumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process responds
         * @description Check that the process responds.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description Metrics for Prometheus.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service can work: the data folder is writable, ffmpeg is installed, no shutdown is in progress. Missing workers are reported and do not count
         * @description Check that the service can work: the data folder is writable, ffmpeg is installed, no shutdown is in progress. Missing workers are reported and do not count.
         */
        get: operations["readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an evaluation report
         * @description Get an evaluation report.
         */
        get: operations["report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The answer of a strategy, with what it cites and what it cost. */
        Answer: {
            /**
             * @description How it ended.
             * @enum {string}
             */
            status: "answered" | "not-answered" | "unparsed" | "refused" | "truncated" | "error";
            /** @description A letter for `choice`, clip numbers in order for `order`, text for `open`; null without an answer. */
            answer: (string | number[]) | null;
            /** @description Ids of the evidence that the answer rests on. */
            cites: string[];
            /**
             * @description Who named the cited evidence.
             * @enum {string}
             */
            cited_by: "model" | "code";
            /** @description Id of the evidence set. */
            set: string;
            /** @description Limits that were reached during the run. */
            limits_met: ("calls" | "frames" | "tokens" | "seconds" | "cost")[];
            /** @description From 0 to 1; null if there is no measurement to compute it from. */
            confidence: number | null;
            /** @description What the confidence was computed from. */
            confidence_basis: string | null;
            /** @description What a second call says about the answer and its evidence; null: not checked. */
            support?: {
                /**
                 * @description What was decided.
                 * @enum {string}
                 */
                verdict: "supported" | "contradicted" | "not-shown" | "unchecked";
                /**
                 * @description Who or what it comes from.
                 * @enum {string}
                 */
                by: "model" | "code";
                /** @description The words that say so. */
                words: string;
            };
            /** @description The best matches of a search, best first. */
            moments?: {
                /** @description Seconds from the start of the video. */
                start_s: number;
                /** @description Seconds from the start of the video. The end. */
                end_s: number;
                /** @description The text. Untrusted: escape it. */
                text: string;
                /** @description The words that say so. */
                words: string[];
                /** @description The letter of the option that it speaks for. */
                option?: string;
                /** @description How well it matches; greater is better. */
                score: number;
                /** @description Evidence that it refers to, by id. */
                evidence: string[];
            }[];
            /** @description The reply of the model; null without. */
            reply?: string;
            /** @description What the model wrote before its answer, or the tokens of it. */
            reasoning?: string;
            /** @description Measurements of the strategy, by name. */
            diagnostics?: {
                [key: string]: unknown;
            };
            usage: components["schemas"]["Usage"];
            /** @description Why it failed; null or missing: it did not. */
            error?: {
                /** @description The kind. */
                kind: string;
                /** @description The reason, as a sentence. */
                message: string;
            };
        };
        /** @description The question as it was understood: with its task, and letters for the options. */
        Asked: {
            /** @description The text. Untrusted: escape it. */
            text: string;
            /**
             * @description What kind of answer is asked for.
             * @enum {string}
             */
            task: "order" | "choice" | "open";
            /** @description The goal of the procedure that shuffled clips show. */
            goal?: string;
            /** @description The options of a multiple-choice question. */
            options?: {
                /** @description The letter of the option. */
                letter: string;
                /** @description The text. Untrusted: escape it. */
                text: string;
            }[];
        };
        /** @description Audit Entry. */
        AuditEntry: {
            /** @description The id. */
            id: number;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Who did it: a person, a tool, a model, a file, or the name of a key. */
            who: string;
            /** @description The address of the client. */
            address: string;
            /** @description What was done, such as `question.asked`. */
            action: string;
            /** @description The video. */
            video: string | null;
            /** @description Name of the video at that time. */
            name: string | null;
            /** @description The question. */
            question: string | null;
            /** @description Evidence that it refers to, by id. */
            evidence: string | null;
            /** @description More about the action. */
            details: {
                [key: string]: unknown;
            };
        };
        /** @description Bulk Asked. */
        BulkAsked: {
            /** @description The items of this page, or all of them. */
            items: {
                /** @description Number of the row, from 1. */
                row: string;
                /** @description The id. */
                id: string;
            }[];
            /** @description Rows that cannot be asked, with the reason. */
            errors: {
                /** @description Number of the row, from 1. */
                row: string;
                /** @description The column of the table; null: the whole row. */
                column: string | null;
                /** @description One sentence for a person: what is wrong, and what to do. */
                detail: string;
            }[];
            /** @description Rows that can be asked */
            checked: number;
        };
        /** @description Videos to delete with all data derived from them. */
        BulkDelete: {
            /** @description Ids of the videos. */
            ids: string[];
        };
        /** @description `missing`: ids without a video of the caller. */
        BulkDeleted: {
            /** @description Ids of the deleted videos. */
            deleted: string[];
            /** @description Ids without a video of the caller. */
            missing: string[];
        };
        /** @description Bulk Rows. */
        BulkRows: {
            /** @description The questions, one in each row. */
            rows: {
                [key: string]: unknown;
            }[];
        };
        /** @description The problem of an edit that is based on an old version (412), with the current state. */
        ChangedProblem: {
            /** @description Always `about:blank`: `kind` says what it is. */
            type: string;
            /** @description The name of the HTTP status. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description One sentence for a person: what is wrong, and what to do. */
            detail: string;
            /** @description `urn:request:ID`, with the id of the log and of the `X-Request-Id` header. */
            instance: string;
            /** @constant */
            kind: "changed";
            /** @description Bytes that arrived. */
            offset?: number;
            /** @description The current state: repeat the edit on it. */
            current: components["schemas"]["EvidenceList"] | components["schemas"]["Review"] | components["schemas"]["Video"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A clip of an order question: its number on the title card, and its time in the video. */
        Clip: {
            /** @description The number on the title card. */
            number: number;
            /** @description Seconds from the start of the video. */
            start_s: number;
            /** @description Seconds from the start of the video. The end. */
            end_s: number;
        };
        /** @description A new key with its secret. */
        CreatedKey: {
            /** @description The name of the caller. */
            name: string;
            /** @description What the key may do; `operate` includes the other roles. */
            roles: ("ask" | "review" | "operate")[];
            /** @description Maximum queued and running questions; null: no limit. */
            in_flight: number | null;
            /** @description Maximum dollars a day (UTC); null: no limit. */
            cost_a_day: number | null;
            /** @description Maximum bytes of videos and derived data; null: the usual limit. */
            bytes: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description The key itself. It cannot be shown again. */
            secret: string;
        };
        /** @description Estimate. */
        Estimate: {
            /** @description Model calls, at most; null if they depend on the video, or the strategy does not plan them. */
            calls: number | null;
            /** @description Whether `calls` is exact. */
            exact: boolean;
            /** @description Frames sent, at most. */
            frames: number | null;
            /** @description Tokens, at most; null if they cannot be planned. */
            tokens: {
                /** @description Tokens sent. */
                input: number;
                /** @description Tokens generated, at most. */
                output_most: number;
            } | null;
            /** @description Dollars with replies of a usual length, and with the longest; null if a price is not known. */
            cost: {
                /** @description Dollars with replies of a usual length. */
                about: number;
                /** @description Dollars with replies of the greatest length. */
                most: number;
            } | null;
            /** @description Median duration of the caller's last questions with this strategy, model and task; null before the first. */
            seconds: number | null;
            /** @description Number of these questions. */
            answered: number;
        };
        /** @description An observation in the video, with its source. */
        Evidence: {
            /** @description The id. */
            id: string;
            /**
             * @description The kind.
             * @enum {string}
             */
            kind: "caption" | "text" | "equation" | "subtitle" | "speech" | "frame" | "comparison" | "calculation";
            /** @description Seconds from the start of the video. */
            start_s: number;
            /** @description Seconds from the start of the video. The end. */
            end_s: number;
            /** @description The text. Untrusted: escape it. */
            text: string;
            /** @description The clip that it describes, by the number on its title card. */
            clip?: number;
            /** @description The frame that shows it. */
            frame?: {
                /** @description The content hash, which is the id. */
                hash: string;
                /** @description Seconds from the start of the video. */
                t_s: number;
                /** @description Pixels. */
                width: number;
                /** @description Pixels. */
                height: number;
            };
            /** @description Where it is in the frame, in shares of its width and height. */
            box?: {
                /** @description Of the left edge. */
                x: number;
                /** @description Of the upper edge. */
                y: number;
                /** @description Pixels. */
                width: number;
                /** @description Pixels. */
                height: number;
            };
            /** @description More about it, by kind: the speaker, times of words. */
            data?: {
                [key: string]: unknown;
            };
            /** @description Who or what it comes from. */
            by: {
                /**
                 * @description Who did it: a person, a tool, a model, a file, or the name of a key.
                 * @enum {string}
                 */
                who: "model" | "tool" | "file" | "person" | "gold";
                /** @description The name. Untrusted: escape it. */
                name: string;
            };
            /** @description From 0 to 1; null if there is no measurement to compute it from. */
            confidence: number | null;
            /** @description Ids of the evidence that it was derived from. */
            from: string[];
            /** @description Id of the recognised item that this corrects. */
            replaces?: string;
            /** @description `E1`, `E2` ...: the name in prompts and replies. A correction keeps the name; no name is given twice. */
            name: string;
            /** @description Whether the answer cites it. */
            cited: boolean;
            /** @description URL of a thumbnail. */
            thumbnail: string | null;
            /** @description The text before the correction, if the text was corrected. */
            was: string | null;
        };
        /** @description The current evidence set of a question. */
        EvidenceList: {
            /** @description Id of the evidence set. */
            set: string;
            /** @description The set that this one was edited from; null: it was not edited. */
            base: string | null;
            /** @description The items of this page, or all of them. */
            items: components["schemas"]["Evidence"][];
            /** @description Items of the answer's set that were rejected. */
            rejected: components["schemas"]["Evidence"][];
            /** @description What the answer cites, and its best matches, as they were when it was given. Edits do not change them. */
            basis: components["schemas"]["Evidence"][];
        };
        /** @description Changes of an item. A rejected item is restored with the changes. */
        EvidencePatch: {
            /** @description The text. Untrusted: escape it. */
            text?: string;
            /** @description Seconds from the start of the video. */
            start_s?: number;
            /** @description Seconds from the start of the video. The end. */
            end_s?: number;
        };
        /** @description The export of a question with `?as=json`. */
        Export: {
            video: components["schemas"]["Video"];
            question: components["schemas"]["Question"];
            /** @description Evidence that it refers to, by id. */
            evidence: components["schemas"]["EvidenceList"] | null;
        };
        /** @description Address of a video on a host that the operator allows. */
        FromUrl: {
            /** @description The address of the file. */
            url: string;
            /** @description The name. Untrusted: escape it. */
            name?: string;
        };
        /** @description The key of a caller, without its secret. */
        Key: {
            /** @description The name of the caller. */
            name: string;
            /** @description What the key may do; `operate` includes the other roles. */
            roles: ("ask" | "review" | "operate")[];
            /** @description Maximum queued and running questions; null: no limit. */
            in_flight: number | null;
            /** @description Maximum dollars a day (UTC); null: no limit. */
            cost_a_day: number | null;
            /** @description Maximum bytes of videos and derived data; null: the usual limit. */
            bytes: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description Listed Question. */
        ListedQuestion: {
            /** @description The id. */
            id: string;
            /** @description The video. */
            video: string;
            /** @description The task is filled in, and options have letters. */
            asked: components["schemas"]["Asked"];
            strategy: components["schemas"]["StrategyName"];
            /** @description `provider:model`; null: no model was called. */
            model: string | null;
            /** @description Settings that differ from the defaults, by path. */
            settings: {
                [key: string]: unknown;
            };
            /**
             * @description Whether it is waiting, running or how it ended.
             * @enum {string}
             */
            state: "queued" | "running" | "answered" | "failed" | "cancelled";
            /** @description A letter for `choice`, clip numbers in order for `order`, text for `open`; null without an answer. */
            answer: components["schemas"]["Answer"] | null;
            /** @description The reason of a failure, as a sentence. */
            failure: {
                /** @description The kind. */
                kind: string;
                /** @description The reason, as a sentence. */
                message: string;
            } | null;
            /** @description The current evidence set: that of the answer, or of the last correction. */
            set: string | null;
            /** @description Whether the evidence was edited after the answer. */
            edited: boolean;
            /** @description The question whose edited evidence this question reasons over. */
            from: string | null;
            /** @description The question that this one follows in a thread. */
            follows: string | null;
            /** @description The settled review: of one person, or of those who agree. */
            review: components["schemas"]["Review"] | null;
            /** @description All clips of an order question by number, those that the answer leaves out included; null until they are known. */
            clips: components["schemas"]["Clip"][] | null;
            /** @description Whether reviewers disagree. */
            conflict: boolean;
            /** @description Number of people who reviewed the answer. */
            ratings: number;
            /** @description Usage of the last run by stage, in the order of the stages. */
            stages: {
                /** @description The stage of the strategy. */
                stage: string;
                usage: components["schemas"]["Usage"];
            }[];
            /** @description Seconds of each stage of the last run, in the order in which they ended. */
            timings: {
                /** @description The stage of the strategy. */
                stage: string;
                /** @description How long it took; null if unknown. */
                seconds: number;
            }[];
            usage: components["schemas"]["Usage"];
            /** @description Duration of the last run in seconds; null until it ends. */
            seconds: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description The name of its video. Untrusted: escape it. */
            video_name: string;
        };
        /** @description New Estimate. */
        NewEstimate: {
            /**
             * @description What kind of answer is asked for.
             * @enum {string}
             */
            task?: "order" | "choice" | "open";
            settings?: components["schemas"]["Settings"];
        };
        /** @description An observation of a person. */
        NewEvidence: {
            /**
             * @description The kind.
             * @enum {string}
             */
            kind: "caption" | "text" | "equation" | "subtitle" | "speech";
            /** @description Seconds from the start of the video. */
            start_s: number;
            /** @description Seconds from the start of the video. The end. */
            end_s: number;
            /** @description The text. Untrusted: escape it. */
            text: string;
            /** @description The clip that a caption describes, by the number on its title card. */
            clip?: number;
        };
        /** @description A key to create. */
        NewKey: {
            /** @description The name of the caller. */
            name: string;
            /**
             * @description What the key may do; `operate` includes the other roles.
             * @default [
             *       "ask"
             *     ]
             */
            roles: ("ask" | "review" | "operate")[];
            /**
             * @description Maximum queued and running questions; null: no limit.
             * @default null
             */
            in_flight: number | null;
            /**
             * @description Maximum dollars a day (UTC); null: no limit.
             * @default null
             */
            cost_a_day: number | null;
            /**
             * @description Maximum bytes of videos and derived data; null: the usual limit.
             * @default null
             */
            bytes: number | null;
        };
        /** @description A question about a video. Options make it a multiple-choice question; a goal asks for the order of shuffled clips. */
        NewQuestion: {
            /**
             * @description May be empty if `goal` is set.
             * @default
             */
            text: string;
            /** @description The options of a multiple-choice question. */
            options?: string[];
            /**
             * @description What kind of answer is asked for.
             * @enum {string}
             */
            task?: "order" | "choice" | "open";
            /** @description The goal of the procedure that the shuffled clips show, for the task `order`. */
            goal?: string;
            /** @description An answered question about the same video that this one follows: the model is told of it and its answer. */
            follows?: string;
            settings?: components["schemas"]["Settings"];
        };
        /** @description New Rating. */
        NewRating: {
            /**
             * @description What was decided.
             * @enum {string}
             */
            verdict?: "approved" | "corrected";
            /** @description A letter for `choice`, clip numbers in order for `order`, text for `open`; null without an answer. */
            answer?: string | number[];
            /** @description A person's words about it; null without. */
            note?: string;
            /** @description Time taken; default: since the queue handed out the question */
            seconds?: number;
            /** @description Name of the rater, if the service has no keys. Default: `person` */
            rater?: string;
        };
        /** @description A verdict. A corrected answer is a letter for `choice`, clip numbers for `order`, text for `open`. */
        NewReview: {
            /**
             * @description What was decided.
             * @enum {string}
             */
            verdict: "approved" | "corrected";
            /** @description A letter for `choice`, clip numbers in order for `order`, text for `open`; null without an answer. */
            answer?: string | number[];
            /** @description A person's words about it; null without. */
            note?: string;
        };
        /** @description The token or key to sign in with. */
        NewSession: {
            /** @description The token, or a key. */
            token: string;
        };
        /** @description New Study Answer. */
        NewStudyAnswer: {
            /** @description Id of the item of the study. */
            item: number;
            /** @description A letter for `choice`, clip numbers in order for `order`, text for `open`; null without an answer. */
            answer: string | number[];
            /** @description Time on the question without pauses; at most the time since it was handed out */
            seconds?: number;
            /** @description Who gives the verdict. */
            rater?: string;
        };
        /** @description Name and size in bytes of a file that is sent in parts. */
        NewUpload: {
            /** @description The name. Untrusted: escape it. */
            name: string;
            /** @description Bytes. */
            size: number;
        };
        /** @description Next Review. */
        NextReview: {
            /** @description Null: nothing is left for this rater. */
            item: {
                /** @description Id of the question */
                id: string;
                asked: components["schemas"]["Asked"];
                video: components["schemas"]["Video"];
                /** @description Whether reviewers see no answer before their own. */
                blind: boolean;
                /** @description The clips of an order question by number; null until they are known */
                clips: components["schemas"]["Clip"][] | null;
                /** @description Null in a blind review */
                question: components["schemas"]["Question"] | null;
                /** @description Verdicts so far; empty in a blind review */
                ratings: components["schemas"]["Rating"][];
            } | null;
            /** @description How far the review is. */
            progress: {
                /** @description Answered questions */
                total: number;
                /** @description Answers with a settled review. */
                settled: number;
                /** @description Answers about which reviewers disagree. */
                conflicts: number;
                /** @description Rated by this rater */
                mine: number;
                /** @description Verdicts that each answer needs */
                raters: number;
            };
        };
        /** @description An RFC 9457 problem. `kind` names the reason for programs, `detail` says in one sentence what is wrong and what to do. `offset`: of an upload, with status 409. */
        Problem: {
            /** @description Always `about:blank`: `kind` says what it is. */
            type: string;
            /** @description The name of the HTTP status. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description One sentence for a person: what is wrong, and what to do. */
            detail: string;
            /** @description `urn:request:ID`, with the id of the log and of the `X-Request-Id` header. */
            instance: string;
            /** @description The reason, for programs. */
            kind: string;
            /** @description Bytes that arrived. */
            offset?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description A question, its state, and its answer once there is one. */
        Question: {
            /** @description The id. */
            id: string;
            /** @description The video. */
            video: string;
            /** @description The task is filled in, and options have letters. */
            asked: components["schemas"]["Asked"];
            strategy: components["schemas"]["StrategyName"];
            /** @description `provider:model`; null: no model was called. */
            model: string | null;
            /** @description Settings that differ from the defaults, by path. */
            settings: {
                [key: string]: unknown;
            };
            /**
             * @description Whether it is waiting, running or how it ended.
             * @enum {string}
             */
            state: "queued" | "running" | "answered" | "failed" | "cancelled";
            /** @description A letter for `choice`, clip numbers in order for `order`, text for `open`; null without an answer. */
            answer: components["schemas"]["Answer"] | null;
            /** @description The reason of a failure, as a sentence. */
            failure: {
                /** @description The kind. */
                kind: string;
                /** @description The reason, as a sentence. */
                message: string;
            } | null;
            /** @description The current evidence set: that of the answer, or of the last correction. */
            set: string | null;
            /** @description Whether the evidence was edited after the answer. */
            edited: boolean;
            /** @description The question whose edited evidence this question reasons over. */
            from: string | null;
            /** @description The question that this one follows in a thread. */
            follows: string | null;
            /** @description The settled review: of one person, or of those who agree. */
            review: components["schemas"]["Review"] | null;
            /** @description All clips of an order question by number, those that the answer leaves out included; null until they are known. */
            clips: components["schemas"]["Clip"][] | null;
            /** @description Whether reviewers disagree. */
            conflict: boolean;
            /** @description Number of people who reviewed the answer. */
            ratings: number;
            /** @description Usage of the last run by stage, in the order of the stages. */
            stages: {
                /** @description The stage of the strategy. */
                stage: string;
                usage: components["schemas"]["Usage"];
            }[];
            /** @description Seconds of each stage of the last run, in the order in which they ended. */
            timings: {
                /** @description The stage of the strategy. */
                stage: string;
                /** @description How long it took; null if unknown. */
                seconds: number;
            }[];
            usage: components["schemas"]["Usage"];
            /** @description Duration of the last run in seconds; null until it ends. */
            seconds: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description Rating. */
        Rating: {
            /** @description The id. */
            id: string;
            /** @description Who gives the verdict. */
            rater: string;
            /**
             * @description What was decided.
             * @enum {string}
             */
            verdict: "approved" | "corrected";
            /** @description A letter for `choice`, clip numbers in order for `order`, text for `open`; null without an answer. */
            answer: string | number[];
            /** @description A person's words about it; null without. */
            note: string | null;
            /** @description How long it took; null if unknown. */
            seconds: number | null;
            /** @description Whether the rater saw no answer and no verdict */
            blind: boolean;
            /** @description Whether it settled a conflict */
            settles: boolean;
            /**
             * Format: date-time
             * @description When the verdict was given.
             */
            rated_at: string;
            /** @description When the verdict was taken back; null: it counts. */
            undone_at: string | null;
        };
        /** @description Rating List. */
        RatingList: {
            question: components["schemas"]["Question"];
            /** @description The items of this page, or all of them. */
            items: components["schemas"]["Rating"][];
        };
        /** @description An evaluation report. */
        Report: {
            /** @description The name. Untrusted: escape it. */
            name: string;
            /** @description Bytes. */
            size: number;
            /**
             * Format: date-time
             * @description When it was changed.
             */
            modified_at: string;
        };
        /** @description The verdict of a person about an answer. */
        Review: {
            /**
             * @description What was decided.
             * @enum {string}
             */
            verdict: "approved" | "corrected";
            /** @description The right answer: the approved answer, or the correction. */
            answer: string | number[];
            /** @description A person's words about it; null without. */
            note: string | null;
            /** @description The reviewer: the name of the key, or `person`. */
            by: string;
            /**
             * Format: date-time
             * @description When the verdict was given, and the version of the review.
             */
            reviewed_at: string;
        };
        /** @description Search Hit. */
        SearchHit: {
            /** @description The video. */
            video: string;
            /** @description Name of the video. */
            name: string;
            /**
             * @description The kind.
             * @enum {string}
             */
            kind: "name" | "tag" | "subtitle" | "speech" | "text" | "equation" | "caption";
            /** @description Seconds from the start of the video. */
            start_s: number;
            /** @description Seconds from the start of the video. The end. */
            end_s: number;
            /** @description The text. Untrusted: escape it. */
            text: string;
            /** @description Start and end of each match in `text`, in UTF-16 code units. */
            match: [
                number,
                number
            ][];
            /** @description Id of the evidence; null for a name or tag. */
            evidence: string | null;
        };
        /** @description Models, strategies, settings and limits. */
        Service: {
            /** @description The version of the service. */
            version: string;
            /** @description Models and strategies that can be used here. */
            models: {
                /** @description The default `provider:model`; null: no model is configured. */
                model: string | null;
                /** @description Models that a question may name; null: any. */
                allowed: string[] | null;
                /** @description Strategies that a question may name: without a model, those that need none. */
                strategies: components["schemas"]["StrategyName"][];
                /** @description The default strategy. */
                strategy: components["schemas"]["StrategyName"];
                /** @description The reason why the model cannot be called, such as a missing API key; null: it can be called. */
                missing: string | null;
            };
            /** @description All strategies, for a form. */
            strategies: components["schemas"]["Strategy"][];
            /** @description The settings, by path. */
            settings: components["schemas"]["Setting"][];
            /** @description Limits of the caller. */
            limits: {
                /** @description Maximum bytes of one upload. */
                upload: number;
                /** @description Bytes that the caller may store: videos and the data derived from them. */
                quota: number;
                /** @description Bytes that the caller stores, as far as they are counted: after a start, counting takes seconds. */
                used: number;
                /** @description Uploads that one caller may have open at once. */
                open_uploads: number;
                /** @description Maximum queued and running questions of the caller; null: no limit. */
                in_flight: number | null;
                /** @description Maximum dollars a day of the caller; null: no limit. */
                cost_a_day: number | null;
            };
            /** @description Hosts from which a video may be fetched. */
            hosts: string[];
            /** @description Whether the caller may read evaluation reports. */
            reports: boolean;
            /** @description How answers are reviewed: verdicts that each needs, and whether reviewers see no answer before their own. */
            reviews: {
                /** @description Verdicts that each answer needs. */
                raters: number;
                /** @description Whether reviewers see no answer before their own. */
                blind: boolean;
            };
            /** @description Whether the service asks a human study. */
            human_study: boolean;
            /** @description Why no worker answers questions, with `--workers remote`; null: questions are answered. */
            waiting: string | null;
            /** @description `token`: whether a token is required. `caller`: the name of the caller's key. */
            token: boolean;
            /** @description The name of the caller's key; null without keys. */
            caller: string | null;
            /** @description What the caller's key may do; `operate` includes the other roles. */
            roles: ("ask" | "review" | "operate")[];
        };
        /** @description The key of the session. */
        Session: {
            /** @description The name. Untrusted: escape it. */
            name: string;
        };
        /** @description One setting, for a form. */
        Setting: {
            /** @description The name of the setting in requests, such as `recognition.frames`. */
            path: string;
            /** @description What it does. */
            description: string;
            /**
             * @description The kind.
             * @enum {string}
             */
            kind: "boolean" | "number" | "string" | "choice";
            /** @description The values to choose from; null: any. */
            choices: string[] | null;
            /** @description Whether it can be unset. */
            nullable: boolean;
            /** @description The value if it is not set. */
            default: unknown;
            /** @description Strategies that read it; null: all of them. */
            strategies: components["schemas"]["StrategyName"][] | null;
            /** @description Tasks whose questions read it; null: all of them. */
            tasks: ("order" | "choice" | "open")[] | null;
        };
        /** @description Settings by path (`recognition.frames`) or nested. `GET /api/v1/service` lists those that a request may set. */
        Settings: {
            [key: string]: unknown;
        };
        /** @description A way to answer questions. */
        Strategy: {
            name: components["schemas"]["StrategyName"];
            /** @description One sentence. */
            summary: string;
            /** @description Whether it calls a model. */
            needs_model: boolean;
            /** @description Whether it can reason over corrected evidence. */
            over_evidence: boolean;
        };
        /** @description The name of a strategy. `GET /api/v1/service` lists them. */
        StrategyName: string;
        /** @description Study Next. */
        StudyNext: {
            /** @description Who gives the verdict. */
            rater: string;
            /** @description Questions that this rater answered */
            done: number;
            /** @description Questions that this rater has to answer */
            total: number;
            /** @description Null: everything is answered. */
            item: {
                /** @description The id. */
                id: number;
                /**
                 * @description What kind of answer is asked for.
                 * @enum {string}
                 */
                task: "order" | "choice" | "open";
                /** @description The question. */
                question: string;
                /** @description The goal of the procedure that shuffled clips show. */
                goal: string | null;
                /** @description In the order of this rater */
                options: {
                    /** @description The letter of the option. */
                    letter: string;
                    /** @description The text. Untrusted: escape it. */
                    text: string;
                }[];
                /** @description Number of clips to put in order */
                clips: number | null;
                /** @description Path of the video */
                media: string;
            } | null;
        };
        /** @description Study Progress. */
        StudyProgress: {
            /** @description Who gives the verdict. */
            rater: string;
            /** @description Questions that this rater answered */
            done: number;
            /** @description Questions that this rater has to answer */
            total: number;
        };
        /** @description Subtitles. */
        Subtitles: {
            /** @description Whether there is a subtitle file. */
            uploaded: boolean;
            /** @description Number of subtitle cues. */
            cues: number;
            /** @description Invalid cues, which are not used. */
            skipped: number;
        };
        /** @description Tag. */
        Tag: {
            /** @description A tag, as the caller wrote it. */
            tag: string;
            /** @description Number of videos. */
            videos: number;
        };
        /** @description Trace. */
        Trace: {
            /** @description The calls, in the order of their replies. */
            calls: {
                /** @description The stage of the strategy. */
                stage: string;
                /** @description What the call was for. */
                label: string;
                /**
                 * @description The role of the model in the strategy, or of the sender of a message.
                 * @enum {string}
                 */
                role: "recogniser" | "reasoner" | "judge" | "verifier" | "embedder" | "transcriber";
                /** @description `provider:model`; null: no model was called. */
                model: string;
                /** @description What was sent; null if it was not stored. */
                messages: {
                    /**
                     * @description The role of the model in the strategy, or of the sender of a message.
                     * @enum {string}
                     */
                    role: "system" | "user" | "assistant" | "tool";
                    /** @description Texts, and ids of frames. */
                    parts: ({
                        /** @constant */
                        type: "text";
                        text: string;
                    } | {
                        /** @constant */
                        type: "image";
                        frame: string;
                        t_s: number;
                        label: string | null;
                    } | {
                        /** @enum {string} */
                        type: "video" | "audio";
                        label: string | null;
                    })[];
                }[] | null;
                /** @description Frames that were sent. */
                frames: {
                    /** @description The content hash, which is the id. */
                    hash: string;
                    /** @description Seconds from the start of the video. */
                    t_s: number;
                }[];
                /** @description The reply of the model; null without. */
                reply: string;
                /** @description Tools that the model called. */
                tools: {
                    /** @description The name. Untrusted: escape it. */
                    name: string;
                    /** @description The arguments that the model gave, as JSON. */
                    arguments: unknown;
                }[];
                /** @description Why the model stopped, as the provider says. */
                finish: string;
                /** @description Why it failed; null or missing: it did not. */
                error: {
                    /** @description The kind. */
                    kind: string;
                    /** @description The reason, as a sentence. */
                    message: string;
                } | null;
                /** @description Whether the reply was stored before, so that nothing was paid. */
                cached: boolean;
                /** @description What it used. */
                usage: {
                    /** @description Number of model calls. */
                    calls: number;
                    /** @description Frames that were sent. */
                    frames: number;
                    /** @description Tokens sent. */
                    input: number;
                    /** @description Tokens generated. */
                    output: number;
                    /** @description Dollars as if nothing had been stored. */
                    cost: number | null;
                    /** @description Dollars that were spent. */
                    paid: number | null;
                    /** @description Whether the tokens were estimated, because the provider counted none. */
                    estimated?: number;
                    /** @description What the model wrote before its answer, or the tokens of it. */
                    reasoning?: number;
                    /** @description Tokens sent that the provider had cached. */
                    cached_input?: number;
                };
                /** @description How long it took; null if unknown. */
                seconds: number;
                /** @description Seconds that the call waited for its turn. */
                waited_s: number;
                /** @description Attempts before this one that failed. */
                retries: number;
            }[];
            /** @description Calls that are not listed. */
            more: number;
        };
        /** @description `offset`: bytes that arrived. `video`: set when the upload is complete and valid. */
        Upload: {
            /** @description The id. */
            id: string;
            /** @description Bytes that arrived. */
            offset: number;
            /** @description Bytes. */
            size: number;
            /** @description The video, once the upload is complete and valid. */
            video: components["schemas"]["Video"] | null;
        };
        /** @description Calls, frames and tokens of models, and dollars: `cost` as if nothing had been stored, `paid` what was spent. */
        Usage: {
            /** @description Number of model calls. */
            calls: number;
            /** @description Frames that were sent. */
            frames: number;
            /** @description Tokens sent. */
            input: number;
            /** @description Tokens generated. */
            output: number;
            /** @description Dollars as if nothing had been stored. */
            cost: number | null;
            /** @description Dollars that were spent. */
            paid: number | null;
            /** @description Whether the tokens were estimated, because the provider counted none. */
            estimated?: number;
            /** @description What the model wrote before its answer, or the tokens of it. */
            reasoning?: number;
            /** @description Tokens sent that the provider had cached. */
            cached_input?: number;
        };
        /** @description Usage Report. */
        UsageReport: {
            /**
             * Format: date
             * @description Only from this time on.
             */
            since: string;
            /**
             * Format: date
             * @description Only up to this time.
             */
            until: string;
            /**
             * @description What the rows are grouped by.
             * @enum {string}
             */
            by: "day" | "model" | "strategy" | "key";
            /** @description The items of this page, or all of them. */
            items: {
                /** @description Questions asked, counted for the model they name */
                questions: number;
                /** @description Number of model calls. */
                calls: number;
                /** @description Tokens sent */
                input: number;
                /** @description Tokens generated */
                output: number;
                /** @description Dollars as if no reply had been stored before */
                cost: number;
                /** @description Dollars spent; stored replies are free */
                paid: number;
                /** @description Calls without a known price, missing in the dollars */
                unpriced: number;
                /** @description The key; null: without keys */
                key: string | null;
                /** @description The day, model, strategy or key; null: no model */
                group: string | null;
            }[];
            /** @description The sums, or the number of items on all pages. */
            total: {
                /** @description Questions asked, counted for the model they name */
                questions: number;
                /** @description Number of model calls. */
                calls: number;
                /** @description Tokens sent */
                input: number;
                /** @description Tokens generated */
                output: number;
                /** @description Dollars as if no reply had been stored before */
                cost: number;
                /** @description Dollars spent; stored replies are free */
                paid: number;
                /** @description Calls without a known price, missing in the dollars */
                unpriced: number;
            };
            /** @description Bytes stored now: videos and the data derived from them */
            storage: {
                /** @description The key; null: without keys */
                key: string | null;
                /** @description Number of bytes. */
                bytes: number;
            }[];
        };
        /** @description A video of the caller. */
        Video: {
            /** @description The id. */
            id: string;
            /** @description The file name from the request. Untrusted: escape it. */
            name: string;
            /** @description Seconds of the video. */
            duration_s: number;
            /** @description Pixels of the frame after rotation; null without a video stream. */
            width: number | null;
            /** @description Pixels. */
            height: number | null;
            /** @description Bytes. */
            size: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Number of questions about the video. */
            questions: number;
            /** @description The tags of the video. */
            tags: string[];
        };
        /** @description Changes of a video. `tags` replaces all its tags. */
        VideoPatch: {
            /** @description The name. Untrusted: escape it. */
            name?: string;
            /** @description The tags of the video. */
            tags?: string[];
        };
        /** @description Video Text. */
        VideoText: {
            /**
             * @description The kind.
             * @enum {string}
             */
            kind: "name" | "tag" | "subtitle" | "speech" | "text" | "equation" | "caption";
            /** @description Seconds from the start of the video. */
            start_s: number;
            /** @description Seconds from the start of the video. The end. */
            end_s: number;
            /** @description The text. Untrusted: escape it. */
            text: string;
            /** @description Start and end of each match in `text`, in UTF-16 code units. */
            match: [
                number,
                number
            ][];
            /** @description Id of the evidence. */
            evidence: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    audit: {
        parameters: {
            query?: {
                /** @description Maximum number of items */
                limit?: number;
                /** @description `next` of the page before, with the same sort, order and filters */
                cursor?: string;
                /** @description At or after this instant */
                since?: string;
                /** @description Before this instant */
                until?: string;
                /** @description Name of a key */
                who?: string;
                /** @description What was done, such as `question.asked`. */
                action?: string;
                /** @description Id of a video */
                video?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of entries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
                        next: string | null;
                        total: number;
                    };
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Messages of changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAll: {
        parameters: {
            query: {
                /** @description The format. */
                as: "jsonl" | "csv" | "rows" | "sidecar";
                /** @description Questions of this key, or of all keys (role `review`) */
                scope?: "own" | "all";
                /** @description The video. */
                video?: string;
                /** @description Whether it is waiting, running or how it ended. */
                state?: "queued" | "running" | "answered" | "failed" | "cancelled";
                /** @description The verdict of the review; `conflict`: reviewers disagree; `none`: not reviewed */
                verdict?: "approved" | "corrected" | "conflict" | "none";
                /** @description The name of the strategy. */
                strategy?: string;
                /** @description `provider:model`; null: no model was called. */
                model?: string;
                /** @description Part of the question or its goal, in any case */
                q?: string;
                /** @description Asked at or after this instant */
                since?: string;
                /** @description Asked at or before this instant */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/json": unknown;
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    frame: {
        parameters: {
            query?: {
                /** @description Pixels. */
                width?: number;
            };
            header?: never;
            path: {
                /** @description The content hash, which is the id. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JPEG */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studyAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStudyAnswer"];
            };
        };
        responses: {
            /** @description The answer is stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyProgress"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studyMedia: {
        parameters: {
            query?: {
                /** @description A rater of the study, if the service has no keys; with keys, the key is the rater */
                rater?: string;
            };
            header?: {
                /** @description A byte range, as in HTTP. */
                range?: string;
            };
            path: {
                /** @description Id of the item of the study. */
                item: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The byte range */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Range outside the file */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studyNext: {
        parameters: {
            query?: {
                /** @description A rater of the study, if the service has no keys; with keys, the key is the rater */
                rater?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyNext"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All keys, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Key"][];
                        next: string | null;
                        total: number;
                    };
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the caller. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listQuestions: {
        parameters: {
            query?: {
                /** @description Maximum number of items */
                limit?: number;
                /** @description `next` of the page before, with the same sort, order and filters */
                cursor?: string;
                /** @description What the list is sorted by. */
                sort?: "created";
                /** @description The default is `asc` for names, and `desc` for everything else */
                order?: "asc" | "desc";
                /** @description The video. */
                video?: string;
                /** @description Whether it is waiting, running or how it ended. */
                state?: "queued" | "running" | "answered" | "failed" | "cancelled";
                /** @description The verdict of the review; `conflict`: reviewers disagree; `none`: not reviewed */
                verdict?: "approved" | "corrected" | "conflict" | "none";
                /** @description The name of the strategy. */
                strategy?: string;
                /** @description `provider:model`; null: no model was called. */
                model?: string;
                /** @description Part of the question or its goal, in any case */
                q?: string;
                /** @description Asked at or after this instant */
                since?: string;
                /** @description Asked at or before this instant */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of questions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ListedQuestion"][];
                        next: string | null;
                        total: number;
                    };
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    bulkAsk: {
        parameters: {
            query?: {
                /** @description Whether the right rows are asked although others are wrong */
                partial?: string;
                /** @description Whether the rows are only checked */
                dry_run?: string;
            };
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkRows"];
                "text/csv": string;
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Checked with `dry_run`; nothing is queued */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAsked"];
                };
            };
            /** @description Queued; with `partial`, `errors` has the rows that are wrong */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAsked"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    question: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question is being cancelled */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    questionEvents: {
        parameters: {
            query?: {
                /** @description Only events with a greater number. */
                after?: number;
            };
            header?: {
                /** @description The number of the last event that is known; browsers send it. */
                "last-event-id"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    evidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The evidence set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceList"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addEvidence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the version that is edited; `*` overwrites any */
                "if-match"?: string;
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEvidence"];
            };
        };
        responses: {
            /** @description The new evidence set */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceList"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else; `current` is the current state */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ChangedProblem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `If-Match` is missing */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rejectEvidence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the version that is edited; `*` overwrites any */
                "if-match"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
                /** @description Evidence that it refers to, by id. */
                evidence: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new evidence set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceList"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else; `current` is the current state */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ChangedProblem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `If-Match` is missing */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    editEvidence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the version that is edited; `*` overwrites any */
                "if-match"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
                /** @description Evidence that it refers to, by id. */
                evidence: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvidencePatch"];
            };
        };
        responses: {
            /** @description The new evidence set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceList"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else; `current` is the current state */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ChangedProblem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `If-Match` is missing */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportQuestion: {
        parameters: {
            query: {
                /** @description The format. */
                as: "json" | "html" | "row";
            };
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"] | {
                        [key: string]: unknown;
                    };
                    "text/html": string;
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ratings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verdicts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RatingList"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRating"];
            };
        };
        responses: {
            /** @description The verdicts */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RatingList"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    undoRating: {
        parameters: {
            query?: {
                /** @description Name of the rater, if the service has no keys. Default: `person` */
                rater?: string;
            };
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
                /** @description Id of the verdict. */
                rating: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verdicts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RatingList"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reasonAgain: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queued */
            202: {
                headers: {
                    /** @description Path of what was created */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    review: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the version that is edited; `*` overwrites any */
                "if-match"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReview"];
            };
        };
        responses: {
            /** @description The reviewed question */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else; `current` is the current state */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ChangedProblem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `If-Match` is missing */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    questionTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calls of the last run, in the order of their replies */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trace"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reports */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Report"][];
                        next: string | null;
                        total: number;
                    };
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    nextReview: {
        parameters: {
            query?: {
                /** @description Name of the rater, if the service has no keys. Default: `person` */
                rater?: string;
                /** @description Answers without a settled review, or those that raters disagree about */
                of?: "open" | "conflict";
                /** @description Questions of this key, or of all keys. Default: `all` with the role `review` */
                scope?: "own" | "all";
                /** @description Whether the answer is hidden; always if the operator wants it */
                blind?: string;
                /** @description Skips to the answer after this question */
                after?: string;
                /** @description The video. */
                video?: string;
                /** @description The name of the strategy. */
                strategy?: string;
                /** @description `provider:model`; null: no model was called. */
                model?: string;
                /** @description Only from this time on. */
                since?: string;
                /** @description Only up to this time. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NextReview"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description Maximum number of items */
                limit?: number;
                /** @description `next` of the page before, with the same sort, order and filters */
                cursor?: string;
                /** @description Words that must all occur in a text, in any case and without diacritics; phrases in quotes. A last word of two letters or more may be the beginning of one; a single last letter that is found nowhere is left out. */
                q: string;
                /** @description Only these kinds, separated by commas: name, tag, subtitle, speech, text, equation, caption, transcript */
                kinds?: string;
                /** @description Only in this video */
                video?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of matches. Of more than 5,000 matches, the newest 5,000 are ranked and listed; `total` counts all */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SearchHit"][];
                        next: string | null;
                        total: number;
                        pending: number;
                    };
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    service: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSession"];
            };
        };
        responses: {
            /** @description The cookie is set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All tags, in alphabetical order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Tag"][];
                        next: string | null;
                        total: number;
                    };
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUpload"];
            };
        };
        responses: {
            /** @description Upload started */
            201: {
                headers: {
                    /** @description Path of what was created */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dropUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    continueUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description `bytes FIRST-LAST/SIZE` */
                "content-range": string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Chunk stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Range outside the file */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: {
                /** @description First day (UTC); default: 29 days before `until` */
                since?: string;
                /** @description Last day (UTC); default: today */
                until?: string;
                /** @description Who or what it comes from. */
                by?: "day" | "model" | "strategy" | "key";
                /** @description Only this key. Other keys than the own one need the role `operate` */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReport"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVideos: {
        parameters: {
            query?: {
                /** @description Maximum number of items */
                limit?: number;
                /** @description `next` of the page before, with the same sort, order and filters */
                cursor?: string;
                /** @description What the list is sorted by. */
                sort?: "created" | "name" | "duration" | "questions";
                /** @description The default is `asc` for names, and `desc` for everything else */
                order?: "asc" | "desc";
                /** @description Part of the name, in any case */
                q?: string;
                /** @description A tag, as the caller wrote it. */
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of videos */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Video"][];
                        next: string | null;
                        total: number;
                    };
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postVideo: {
        parameters: {
            query?: never;
            header: {
                /** @description File name, percent-encoded UTF-8 */
                "x-file-name": string;
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The video */
            201: {
                headers: {
                    /** @description Path of what was created */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Video"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    bulkDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkDelete"];
            };
        };
        responses: {
            /** @description The videos are removed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkDeleted"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    fetchVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FromUrl"];
            };
        };
        responses: {
            /** @description The video */
            201: {
                headers: {
                    /** @description Path of what was created */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Video"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    video: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The video */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Video"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the version that is edited; `*` overwrites any */
                "if-match"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else; `current` is the current state */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ChangedProblem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    editVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the version that is edited; `*` overwrites any */
                "if-match"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoPatch"];
            };
        };
        responses: {
            /** @description The changed video */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Video"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else; `current` is the current state */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ChangedProblem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    estimate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEstimate"];
            };
        };
        responses: {
            /** @description The estimate */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    media: {
        parameters: {
            query?: never;
            header?: {
                /** @description A byte range, as in HTTP. */
                range?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The byte range */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Range outside the file */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    askQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewQuestion"];
            };
        };
        responses: {
            /** @description Queued */
            202: {
                headers: {
                    /** @description Path of what was created */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What the first request with this `Idempotency-Key` created was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    subtitles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The uploaded subtitles */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subtitles"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putSubtitles: {
        parameters: {
            query?: never;
            header: {
                /** @description File name, percent-encoded UTF-8 */
                "x-file-name": string;
            };
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Stored; used by the next question */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subtitles"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Quota used up or disk full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dropSubtitles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    videoTexts: {
        parameters: {
            query?: {
                /** @description Maximum number of items */
                limit?: number;
                /** @description `next` of the page before, with the same sort, order and filters */
                cursor?: string;
                /** @description Only texts that end at this second or later */
                from_s?: number;
                /** @description Only texts that start at this second or earlier */
                to_s?: number;
                /** @description Words to mark, as in a search; texts without them are listed too */
                q?: string;
            };
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of texts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["VideoText"][];
                        next: string | null;
                        total: number;
                    };
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    thumbnail: {
        parameters: {
            query: {
                /** @description Seconds from the start of the video. */
                t_s: number;
            };
            header?: never;
            path: {
                /** @description The id of the thing that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JPEG */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported content or media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process responds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metrics in the Prometheus text format */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ready: boolean;
                        checks: {
                            [key: string]: {
                                ok: boolean;
                                detail: string;
                            };
                        };
                    };
                };
            };
            /** @description Not ready; `checks` has the reasons */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ready: boolean;
                        checks: {
                            [key: string]: {
                                ok: boolean;
                                detail: string;
                            };
                        };
                    };
                };
            };
        };
    };
    report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name. Untrusted: escape it. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The HTML report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Missing or wrong token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A limit of the caller is reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
