"""What the timeline knows beside the history itself: bookmarks, a region, and which part of it the axis shows. No Qt."""
